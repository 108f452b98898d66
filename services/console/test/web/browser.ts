import { copyFileSync, mkdirSync, readFileSync } from 'node:fs';
import { join } from 'node:path';
import { BROWSER_ARGUMENTS, findBrowser } from '@mediagate/testkit';
import { type Browser, type BrowserContext, chromium, type Page } from 'playwright-core';
import { readRun } from './run';

export type User = 'customer' | 'operator';
export type Theme = 'light' | 'dark';

const ROOT = join(__dirname, '../../../..');
const SCREENSHOTS = join(ROOT, 'coverage/web');
/** Set: screenshots that documents show replace those that are there. */
const UPDATE = process.env['UPDATE_SCREENSHOTS'] === '1';
const DOCUMENTED = join(ROOT, 'docs/images');
const AXE = readFileSync(require.resolve('axe-core/axe.min.js'), 'utf8');

const STANDARDS = ['wcag2a', 'wcag2aa', 'wcag21aa', 'wcag22aa'];
const SHOWN_CHARACTERS = 160;
const STEP_LIMIT_MS = 30_000;
const POLL_MS = 50;
const HEIGHT_PX = 900;

export const run = readRun();

/** A browser for the tests of a file, whose pages must report no fault of their own. */
export interface WebBrowser {
  /** Opens a tab in which the user is signed in. */
  openAs(user: User, options?: ViewOptions): Promise<Page>;
  /** Opens a tab in which nobody is signed in. */
  open(options?: ViewOptions): Promise<Page>;
  /** The faults that pages reported by themselves since the last call. */
  faults(): string[];
  close(): Promise<void>;
}

interface ViewOptions {
  width?: number;
  theme?: Theme;
  /** The language of the browser, as a tag. */
  language?: string;
}

export async function openBrowser(): Promise<WebBrowser> {
  const program = findBrowser();
  if (program === undefined) throw new Error('No browser is here.');
  const browser = await chromium.launch({ executablePath: program, args: BROWSER_ARGUMENTS });
  const cookies = new Map<User, Awaited<ReturnType<BrowserContext['cookies']>>>();
  const faults: string[] = [];
  const open: WebBrowser['open'] = async (options) => (await openContext(browser, faults, options)).newPage();
  return {
    open,
    async openAs(user, options) {
      const page = await open(options);
      const known = cookies.get(user);
      if (known === undefined) {
        await signIn(page, user);
        cookies.set(user, await page.context().cookies());
      } else {
        await page.context().addCookies(known);
      }
      return page;
    },
    faults: () => faults.splice(0),
    close: () => browser.close(),
  };
}

async function openContext(browser: Browser, faults: string[], options: ViewOptions = {}): Promise<BrowserContext> {
  const { width = 1440, theme = 'light', language = 'en' } = options;
  const viewport = { width, height: HEIGHT_PX };
  const context = await browser.newContext({ viewport, colorScheme: theme, locale: language, reducedMotion: 'reduce' });
  context.setDefaultTimeout(STEP_LIMIT_MS);
  context.on('weberror', (error) => faults.push(error.error().message));
  context.on('console', (message) => {
    // Being signed out is no fault, and neither is a connection that a test broke.
    if (message.type() === 'error' && !/401|ERR_FAILED/.test(message.text()))
      faults.push(`${message.text()} ${message.location().url}`);
  });
  return context;
}

/** Signs in as a person does. */
async function signIn(page: Page, user: User): Promise<void> {
  await page.goto(run.consoleUrl);
  await page.getByRole('textbox', { name: 'E-mail' }).fill(`${user}@demo.localhost`);
  await page.getByRole('textbox', { name: 'Password' }).fill(run.consolePassword);
  await page.getByRole('button', { name: 'Sign in', exact: true }).click();
  await page.getByRole('heading', { level: 1, name: user === 'customer' ? 'Overview' : 'Now' }).waitFor();
}

/** Waits until the page shows everything, and nothing moves any more. */
export async function settled(page: Page): Promise<void> {
  await page.getByRole('heading', { level: 1 }).waitFor();
  await page.evaluate(TWO_FRAMES);
  const deadline = Date.now() + STEP_LIMIT_MS;
  // The debugger evaluates this: the page's policy lets Playwright's own way of waiting evaluate nothing.
  while (!(await page.evaluate<boolean>(IS_SETTLED))) {
    if (Date.now() > deadline) throw new Error(`${page.url()} is still loading`);
    await page.waitForTimeout(POLL_MS);
  }
}

/** A change of the theme is drawn, and its transitions have begun. */
const TWO_FRAMES = 'new Promise((resolve) => requestAnimationFrame(() => requestAnimationFrame(resolve)))';

const IS_SETTLED = `
  document.querySelector('[class*="Skeleton"]') === null &&
  [...document.images].every(({ complete }) => complete) &&
  document.getAnimations().every(({ playState }) => playState !== 'running')`;

/** The violations that axe finds on the page as it stands. */
export async function violationsOf(page: Page): Promise<string[]> {
  // The debugger evaluates this: the page's policy allows no script of another's.
  await page.evaluate(AXE);
  const violations = await page.evaluate<Violation[]>(
    `axe.run({ runOnly: ${JSON.stringify(STANDARDS)}, resultTypes: ['violations'] }).then(({ violations }) => violations)`,
  );
  return violations.flatMap(({ id, nodes }) =>
    nodes.map((node) => `${id}: ${node.html.slice(0, SHOWN_CHARACTERS)} ${node.failureSummary}`),
  );
}

interface Violation {
  id: string;
  nodes: { html: string; failureSummary: string }[];
}

/** Takes a screenshot of the screen, or of the whole page, under `coverage/web`. */
export async function takeScreenshot(page: Page, name: string, part: 'page' | 'screen' = 'page'): Promise<void> {
  mkdirSync(SCREENSHOTS, { recursive: true });
  await page.screenshot({ path: screenshotPath(name), fullPage: part === 'page' });
}

/** Puts a screenshot among the documents' images, where they are to be replaced. */
export function documentScreenshot(name: string, documented: string): void {
  if (UPDATE) copyFileSync(screenshotPath(name), join(DOCUMENTED, `${documented}.png`));
}

function screenshotPath(name: string): string {
  return join(SCREENSHOTS, `${name}.png`);
}

/** The page scrolls down, never sideways. */
export function sidewaysPx(page: Page): Promise<number> {
  return page.evaluate('document.documentElement.scrollWidth - document.documentElement.clientWidth');
}

/** Tab by tab until what has the focus is named so. A dialog takes the focus a moment after it is shown, and gives it back a moment after it is gone: keys pressed before go elsewhere. */
export async function tabTo(page: Page, name: string): Promise<void> {
  await page.locator(DIALOG_HAS_FOCUS).first().waitFor({ state: 'attached' });
  for (let presses = 0; presses < MAX_PRESSES; presses++) {
    await page.keyboard.press('Tab');
    const focused = await page.evaluate<string>(FOCUSED_NAME);
    if (focused.includes(name)) return;
  }
  throw new Error(`${name} is not reached by the tab key`);
}

const MAX_PRESSES = 80;
/** No dialog, or one that has the focus. */
const DIALOG_HAS_FOCUS = 'body:not(:has([aria-modal="true"])), [aria-modal="true"]:focus-within';
/** The focused element's name; none for elements that hold others, which would have the names of all of them. */
const FOCUSED_NAME = `(() => {
  const { activeElement: element } = document;
  if (!element?.matches('a, button, input, textarea, [role="menuitem"], [role="tab"]')) return '';
  const labels = [...(element.labels ?? [])].map((label) => label.textContent);
  return [element.getAttribute('aria-label'), ...labels, element.textContent].join(' ');
})()`;
