// The vendor's own client as an independent judge, in a process of its own:
// node fal-client.mjs <base URL> <key> <endpoint> <input as JSON> [cancel]; prints what it made of the answers as JSON.
import { createFalClient } from '@fal-ai/client';

const [baseUrl, credentials, endpoint, input, cancel] = process.argv.slice(2);
const fal = createFalClient({
  credentials,
  retry: { maxRetries: 0 },
  // It knows one host. The rest of the address is the client's.
  requestMiddleware: async (request) => ({ ...request, url: request.url.replace('https://queue.fal.run', baseUrl) }),
});

try {
  const queued = await fal.queue.submit(endpoint, { input: JSON.parse(input) });
  const requestId = queued.request_id;
  if (cancel) await fal.queue.cancel(endpoint, { requestId });
  const seen = new Set();
  const onQueueUpdate = ({ status }) => seen.add(status);
  await fal.queue.subscribeToStatus(endpoint, { requestId, pollInterval: 20, timeout: 15_000, onQueueUpdate });
  const { data } = await fal.queue.result(endpoint, { requestId });
  process.stdout.write(JSON.stringify({ queued, seen: [...seen], data }));
} catch (error) {
  const { message, status, body, requestId } = error;
  process.stdout.write(JSON.stringify({ error: { name: error.constructor.name, message, status, body, requestId } }));
}
