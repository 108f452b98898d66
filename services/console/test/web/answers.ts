import type { Page, Route } from 'playwright-core';

/** A task as the API shows it, that runs as long as a test needs it to. */
export const HELD = {
  id: 'task_held',
  status: 'processing',
  progress: 10,
  created: 1_790_000_000,
  model: 'imagegen-2.5-flare',
  kind: 'image',
  cost: 0,
  credits_cost: 0,
  reserved: 0.03,
};

export function answer(route: Route, body: object): Promise<void> {
  return route.fulfill({ contentType: 'application/json', body: JSON.stringify({ code: 200, ...body }) });
}

/** Answers each question about the held task, in the gateway's place, that the test does not answer itself. */
export function holdTask(page: Page): Promise<unknown> {
  return page.route(/\/api\/v1\/tasks\/task_held/, answerHeldTask);
}

function answerHeldTask(route: Route): Promise<void> {
  const path = new URL(route.request().url()).pathname;
  if (path.endsWith('/events')) return route.abort();
  if (path.endsWith('/lineage')) return answer(route, { data: { ancestors: [], descendants: [] } });
  if (path.endsWith('/cancel')) return answer(route, { data: { ...HELD, status: 'failed', released: 0.03 } });
  return answer(route, { data: HELD });
}
