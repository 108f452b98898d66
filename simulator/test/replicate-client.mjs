// The vendor's own client as an independent judge, in a process of its own:
// node replicate-client.mjs <base URL> <token> <owner/name or a version> <input as JSON> [cancel]; prints what it made of the answers.
import Replicate from 'replicate';

const [baseUrl, auth, model, input, cancel] = process.argv.slice(2);
const replicate = new Replicate({ baseUrl, auth, userAgent: 'judge' });

try {
  const named = model.includes('/') ? { model } : { version: model };
  const { id, status } = await replicate.predictions.create({ ...named, input: JSON.parse(input) });
  if (cancel) await replicate.predictions.cancel(id);
  const ended = await replicate.wait({ id, status, urls: {} }, { interval: 20 });
  process.stdout.write(JSON.stringify({ started: status, ended }));
} catch (error) {
  // The message has the answer's text in it.
  const { message, response } = error;
  process.stdout.write(JSON.stringify({ error: { message, status: response?.status } }));
}
