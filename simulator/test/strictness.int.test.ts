import { forAllTests } from '@mediagate/testkit';
import { serveFiles } from './file-server';
import { startUnderTest } from './simulator-under-test';
import { arkImages, arkVideos } from './strictness/ark';
import { dashscope } from './strictness/dashscope';
import { elevenlabs } from './strictness/elevenlabs';
import { makeFiles } from './strictness/files';
import { geminiImages, geminiVideos } from './strictness/gemini';
import { klingVideos } from './strictness/kling';
import { minimax } from './strictness/minimax';
import { mj } from './strictness/mj';
import { openaiEdits, openaiGenerations } from './strictness/openai';
import { replicate } from './strictness/replicate';
import { skyreels } from './strictness/skyreels';
import { sunoapiExtensions, sunoapiTracks } from './strictness/sunoapi';
import type { Fields, Strictness, VendorRequest } from './strictness/table';
import { ttapiEdits, ttapiTracks } from './strictness/ttapi';
import { vllm } from './strictness/vllm';

const TABLES: readonly Strictness[] = [
  arkImages,
  arkVideos,
  dashscope,
  elevenlabs,
  geminiImages,
  geminiVideos,
  klingVideos,
  minimax,
  mj,
  openaiGenerations,
  openaiEdits,
  replicate,
  skyreels,
  sunoapiTracks,
  sunoapiExtensions,
  ttapiTracks,
  ttapiEdits,
  vllm,
];
const JOB_MS = 60_000;

const simulator = forAllTests(() => startUnderTest({ videoMs: JOB_MS }));
const files = forAllTests(async () => {
  const bytes = await makeFiles();
  return { bytes, ...(await serveFiles(bytes)) };
});
const tracks = forAllTests(makeTracks);

describe.each(TABLES)('$name', ({ request, good, refusal, refuses, takes = [], requests = [] }) => {
  const asked = (change: object) => ask(request({ ...good, ...change }));

  it('takes the request that the others change', async () => {
    expect(await asked({})).toMatchObject({ accepted: true });
  });

  if (takes.length > 0) {
    it.each(takes)('takes %s', async (_what, change, outcome) => {
      expect(await asked(change)).toMatchObject({ accepted: true, ...outcome });
    });
  }

  it.each(refuses)('refuses %s', async (_what, change, ...words) => {
    const { length } = (await simulator.tasks()).tasks;
    expect(await asked(change)).toMatchObject({ accepted: false, ...refusal(...words) });
    expect((await simulator.tasks()).tasks).toHaveLength(length);
  });

  if (requests.length > 0) {
    it.each(requests)('answers %s', async (_what, change, outcome) => {
      expect(await ask({ ...request(good), ...change })).toMatchObject(outcome);
    });
  }
});

it('no key of the simulator is in its journal', async () => {
  expect(JSON.stringify(await simulator.journal())).not.toMatch(/sim-[\w-]+-key/);
});

/** The vendor's answer, with what the journal says of the request. */
async function ask(request: VendorRequest) {
  const { path, headers, body, files: named } = filled(request);
  const isJson = typeof body === 'object' && named === undefined;
  const response = await fetch(simulator.url + path, {
    method: body === undefined ? 'GET' : 'POST',
    headers: { ...(isJson && { 'content-type': 'application/json' }), ...headers },
    ...(body !== undefined && { body: bodyOf(body, named) }),
  });
  const text = await response.text();
  return {
    ...(await simulator.lastEntry()),
    status: response.status,
    headers: Object.fromEntries(response.headers),
    body: response.headers.get('content-type')?.includes('json') ? JSON.parse(text) : text,
  };
}

function bodyOf(body: unknown, named: VendorRequest['files']): string | FormData {
  if (named === undefined) return typeof body === 'string' ? body : JSON.stringify(body);
  const form = new FormData();
  for (const [name, value] of Object.entries(body as Fields)) form.append(name, String(value));
  for (const [field, name, type = ''] of named) {
    form.append(field, new Blob([new Uint8Array(bytesOf(name))], { type }), name);
  }
  return form;
}

/** The request with its files and tracks in the place of the words for them. */
function filled(request: VendorRequest): VendorRequest {
  const json = JSON.stringify(request).replace(/\{(\w+) ([\w.-]+)\}/g, (_, form: string, name: string) => {
    if (form === 'url') return files.url + name;
    if (form === 'base64') return bytesOf(name).toString('base64');
    if (form === 'data') return `data:image/png;base64,${bytesOf(name).toString('base64')}`;
    return tracks[`${form} ${name}`] ?? '';
  });
  return JSON.parse(json) as VendorRequest;
}

function bytesOf(name: string): Buffer {
  const bytes = files.bytes[name];
  if (bytes === undefined) throw new Error(`there is no file ${name}`);
  return bytes;
}

/** The ids of tracks that two vendors have made, by their words in the tables. */
async function makeTracks(): Promise<Record<string, string>> {
  const { body: own } = await ask(sunoapiTracks.request(sunoapiTracks.good));
  const made = (change: object) => ask(ttapiTracks.request({ ...ttapiTracks.good, ...change }));
  const [short, long] = [await made({ prompt: 'x [[sim:seconds=6]]' }), await made({ prompt: 'x', duration: 360 })];
  await simulator.moveClock({ advanceMs: JOB_MS });
  const unfinished = await made({ prompt: 'x [[sim:latency=600m]]' });
  await simulator.moveClock({ advanceMs: 8 * 3_600_000 });
  const read = async (path: string, headers: Record<string, string>) => (await ask({ path, headers })).body.data;
  const { headers } = sunoapiTracks.request({});
  const task = await read(`/sunoapi/api/v1/generate/record-info?taskId=${own.data.taskId}`, headers);
  const trackOf = async ({ body }: typeof short) => {
    const path = `/ttapi/suno/v2/fetch?jobId=${body.data.job_id ?? body.data.jobId}`;
    return (await read(path, ttapiTracks.request({}).headers)).musics[0].musicId;
  };
  return {
    'sunoapi track': task.response.sunoData[0].id,
    'ttapi track': await trackOf(short),
    'ttapi long': await trackOf(long),
    'ttapi unfinished': await trackOf(unfinished),
  };
}
