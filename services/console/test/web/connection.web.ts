import { answer, HELD, holdTask } from './answers';
import { openBrowser, run, type WebBrowser } from './browser';

let browser: WebBrowser;

beforeAll(async () => {
  browser = await openBrowser();
});

afterAll(() => browser.close());

it('a connection that drops is named, and its task followed again once it is back', async () => {
  const page = await browser.openAs('customer');
  await holdTask(page);
  await page.goto(`${run.consoleUrl}/tasks/task_held`);
  await page.getByText('Connection lost').waitFor();
  const later = { ...HELD, progress: 77 };
  const shown = page.getByText('77 %').waitFor();
  await page.route(/\/tasks\/task_held(\/events|\?)/, (route) => {
    const isStream = new URL(route.request().url()).pathname.endsWith('/events');
    const event = `event: task\nid: 1\ndata: ${JSON.stringify(later)}\n\n`;
    return isStream ? route.fulfill({ contentType: 'text/event-stream', body: event }) : answer(route, { data: later });
  });
  await shown;
  expect(browser.faults()).toEqual([]);
  await page.context().close();
});
