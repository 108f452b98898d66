// The vendor's video client as an independent judge. It is an ES module, so it runs in a process of its own:
// node bytedance-client.mjs <base URL> <key> <model> <call options as JSON>; prints what it made of the answers as JSON.
import { createByteDance } from '@ai-sdk/bytedance';

const [baseURL, apiKey, modelId, options] = process.argv.slice(2);
const model = createByteDance({ baseURL, apiKey }).videoModel(modelId);
const { bytedance = {}, ...call } = JSON.parse(options);

try {
  const providerOptions = { bytedance: { pollIntervalMs: 20, pollTimeoutMs: 15_000, ...bytedance } };
  const { videos, warnings, providerMetadata } = await model.doGenerate({ n: 1, ...call, providerOptions });
  process.stdout.write(JSON.stringify({ videos, warnings, providerMetadata }));
} catch (error) {
  process.stdout.write(JSON.stringify({ error: { message: error.message, statusCode: error.statusCode } }));
}
