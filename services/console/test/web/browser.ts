import { mkdirSync, readFileSync } from 'node:fs';
import { join } from 'node:path';
import { BROWSER_ARGUMENTS, findBrowser } from '@mediagate/testkit';
import { type Browser, type BrowserContext, chromium, type Page } from 'playwright-core';

const ROOT = join(__dirname, '../../../..');
const HOME = process.env['MEDIAGATE_HOME'] ?? join(ROOT, '.mediagate');
const SCREENSHOTS = join(ROOT, 'coverage/web');
const AXE = readFileSync(require.resolve('axe-core/axe.min.js'), 'utf8');

const STANDARDS = ['wcag2a', 'wcag2aa', 'wcag21aa', 'wcag22aa'];
const SHOWN_CHARACTERS = 160;

interface Run {
  consoleUrl: string;
  consolePassword: string;
  baseUrl: string;
  apiKey: string;
}

/** Of the system that `npm start` runs. */
export const run: Run = JSON.parse(readFileSync(join(HOME, 'run.json'), 'utf8'));

export async function openBrowser(): Promise<Browser> {
  const program = findBrowser();
  if (program === undefined) throw new Error('no browser is here and none could be installed');
  return chromium.launch({ executablePath: program, args: BROWSER_ARGUMENTS });
}

/** As a person signs in; what the browser keeps afterwards opens other pages. */
export async function signIn(context: BrowserContext, user: 'customer' | 'operator'): Promise<Page> {
  const page = await context.newPage();
  await page.goto(run.consoleUrl);
  await page.getByLabel('E-mail').fill(`${user}@demo.localhost`);
  await page.getByRole('textbox', { name: 'Password' }).fill(run.consolePassword);
  await page.getByRole('button', { name: 'Sign in' }).click();
  await page.getByRole('heading', { level: 1, name: user === 'customer' ? 'Overview' : 'Now' }).waitFor();
  return page;
}

/** What axe holds against the page as it stands. */
export async function violationsOf(page: Page): Promise<string[]> {
  // By the debugger: the page's policy allows no script of another's.
  await page.evaluate(AXE);
  const violations = await page.evaluate<Violation[]>(
    `axe.run({ runOnly: ${JSON.stringify(STANDARDS)} }).then(({ violations }) => violations)`,
  );
  return violations.flatMap(({ id, nodes }) =>
    nodes.map((node) => `${id}: ${node.html.slice(0, SHOWN_CHARACTERS)} ${node.failureSummary}`),
  );
}

interface Violation {
  id: string;
  nodes: { html: string; failureSummary: string }[];
}

export async function takeScreenshot(page: Page, name: string): Promise<void> {
  mkdirSync(SCREENSHOTS, { recursive: true });
  await page.screenshot({ path: join(SCREENSHOTS, `${name}.png`) });
}

/** The page scrolls down, never sideways. */
export function sidewaysPx(page: Page): Promise<number> {
  return page.evaluate('document.documentElement.scrollWidth - document.documentElement.clientWidth');
}
