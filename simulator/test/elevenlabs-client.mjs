// The vendor's own client as an independent judge. It takes seconds to load, so it runs in a process of its own, for many calls:
// node elevenlabs-client.mjs <base URL> <key> <calls as JSON>; prints what it made of each answer as JSON.
import elevenlabs from '@elevenlabs/elevenlabs-js';

const [baseUrl, apiKey, calls] = process.argv.slice(2);
const client = new elevenlabs.ElevenLabsClient({ apiKey, baseUrl, maxRetries: 0 });

const methods = {
  speech: ({ voice, ...order }) => client.textToSpeech.stream(voice, order).withRawResponse(),
  music: (order) => client.music.compose(order).withRawResponse(),
  sound: (order) => client.textToSoundEffects.convert(order).withRawResponse(),
  models: () => client.models.list().withRawResponse(),
  subscription: () => client.user.subscription.get().withRawResponse(),
};

const answers = [];
for (const { method, ...order } of JSON.parse(calls)) {
  answers.push(await methods[method](order).then(read, refused));
}
process.stdout.write(JSON.stringify(answers));

async function read({ data, rawResponse: { headers } }) {
  if (!(data instanceof ReadableStream)) return { data };
  const base64 = Buffer.from(await new Response(data).arrayBuffer()).toString('base64');
  return { base64, type: headers.get('content-type'), credits: headers.get('character-cost') };
}

function refused({ statusCode, body }) {
  return { error: { statusCode, body } };
}
