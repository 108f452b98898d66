import { loadCatalogue } from '@mediagate/catalog';
import { createAnswerJudge, createAnswerRecord } from '@mediagate/testkit';

/** Prefix of the image tool's older interface, where nobody sets another. */
const LEGACY_PREFIX = 'mj';

/** Every answer that a test of the file sees is what the operation table says of it. */
export const answers = createAnswerRecord(createAnswerJudge(loadCatalogue().entries, LEGACY_PREFIX));

afterEach(() => answers.requireDescribed());
afterAll(() => answers.requireDescribed());

/** The whole file behind a link of the gateway. */
export async function download(url = ''): Promise<Buffer> {
  return Buffer.from(await (await judgedFetch(url)).arrayBuffer());
}

/** `fetch` of the gateway: of an answer in JSON the body is judged too. */
export async function judgedFetch(input: string | URL | Request, init?: RequestInit): Promise<Response> {
  const response = await fetch(input, init);
  const { protocol, pathname, search } = new URL(response.url);
  // By a fetch of `data:,` OpenAI's client learns what `fetch` can do.
  if (protocol === 'data:') return response;
  const isJson = response.headers.get('content-type')?.startsWith('application/json') ?? false;
  answers.see({
    method: init?.method ?? (input instanceof Request ? input.method : 'GET'),
    url: pathname + search,
    status: response.status,
    headers: Object.fromEntries(response.headers),
    ...(isJson ? { text: await response.clone().text() } : {}),
  });
  return response;
}
