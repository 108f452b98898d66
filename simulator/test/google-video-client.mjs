// An outside client of the vendor's videos as an independent judge. It is an ES module, so it runs in a process of its own:
// node google-video-client.mjs <base URL> <key> <model> <call options as JSON>; prints what it made of the answers as JSON.
import { createGoogle } from '@ai-sdk/google';

const [baseURL, apiKey, modelId, options] = process.argv.slice(2);
const model = createGoogle({ baseURL, apiKey }).video(modelId);
const call = JSON.parse(options);
const POLLS_MAX = 300;

try {
  const { operation, warnings } = await model.doStart({ n: 1, ...call });
  for (let poll = 0; poll < POLLS_MAX; poll += 1) {
    const answer = await model.doStatus({ operation });
    if (answer.status === 'pending') {
      await new Promise((resolve) => setTimeout(resolve, 20));
      continue;
    }
    process.stdout.write(JSON.stringify({ operation, warnings, ...answer }));
    break;
  }
} catch (error) {
  process.stdout.write(JSON.stringify({ error: { message: error.message, statusCode: error.statusCode } }));
}
