// A stand-in for the vendor NAME, written from its documentation and not from the adapter: it shares no code with it.
import { createServer } from 'node:http';

export const key = 'simulated-key';
export const model = 'NAME-1';

/** A job is queued at the first question, under way at the second, and finished at the third. */
const STATES = ['queued', 'working', 'finished'];

/** @returns a server that listens nowhere yet */
export default function createSimulator() {
  /** @type {Map<string, { questions: number, seconds: unknown }>} */
  const jobs = new Map();

  /** @type {(request: { method?: string, path: string, body: any }) => [number, object]} */
  function answer({ method, path, body }) {
    const id = /^\/v1\/videos\/(\w[\w-]*)$/.exec(path)?.[1];
    if (method === 'GET' && id !== undefined) return report(id);
    if (method !== 'POST' || path !== '/v1/videos') return refusal(404, 'not_found', `no ${method} ${path}`);
    if (body?.model !== model) return refusal(400, 'invalid', 'no such model', 'model');
    if (typeof body.prompt !== 'string') return refusal(400, 'invalid', 'a text is required', 'prompt');
    if (body.prompt.includes('refuse')) return refusal(400, 'content_refused', 'the content is not taken');
    const started = `job-${jobs.size + 1}`;
    jobs.set(started, { questions: 0, seconds: body.seconds });
    return [201, { id: started, state: 'queued' }];
  }

  /** @type {(id: string) => [number, object]} */
  function report(id) {
    const job = jobs.get(id);
    if (job === undefined) return refusal(404, 'not_found', 'no such video');
    const state = STATES[Math.min(job.questions, STATES.length - 1)];
    job.questions += 1;
    const made = state === 'finished' ? { url: `https://files.vendor.example/${id}.mp4`, seconds: job.seconds } : {};
    return [200, { id, state, ...made }];
  }

  return createServer(async (request, response) => {
    let text = '';
    for await (const chunk of request) text += chunk;
    const isKnown = request.headers.authorization === `Bearer ${key}`;
    const [status, body] = isKnown
      ? answer({ method: request.method, path: request.url ?? '', body: text === '' ? undefined : JSON.parse(text) })
      : refusal(401, 'unauthorized', 'the key is not known');
    response.writeHead(status, { 'content-type': 'application/json' });
    response.end(JSON.stringify(body));
  });
}

/** @type {(status: number, code: string, message: string, field?: string) => [number, object]} */
function refusal(status, code, message, field) {
  return [status, { error: { code, message, ...(field === undefined ? {} : { field }) } }];
}
