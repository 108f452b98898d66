// The vendor's video client as an independent judge. It is an ES module, so it runs in a process of its own:
// node alibaba-client.mjs <base URL> <key> <model> <call options as JSON>; prints what it made of the answers as JSON.
import { createAlibaba } from '@ai-sdk/alibaba';

const [videoBaseURL, apiKey, modelId, options] = process.argv.slice(2);
const model = createAlibaba({ videoBaseURL, apiKey }).videoModel(modelId);
const call = { n: 1, providerOptions: {}, ...JSON.parse(options) };

try {
  const { operation } = await model.doStart(call);
  let status = await model.doStatus({ ...call, operation });
  for (let look = 0; look < 100 && status.status === 'pending'; look += 1) {
    await new Promise((resolve) => setTimeout(resolve, 20));
    status = await model.doStatus({ ...call, operation });
  }
  process.stdout.write(JSON.stringify({ operation, status }));
} catch (error) {
  process.stdout.write(JSON.stringify({ error: { message: error.message, statusCode: error.statusCode } }));
}
