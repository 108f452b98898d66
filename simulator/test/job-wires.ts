import { keyOf, post } from './simulator-under-test';

export type JobWireName =
  | 'ark'
  | 'dashscope'
  | 'gemini'
  | 'minimax'
  | 'kling'
  | 'skyreels'
  | 'fal'
  | 'replicate'
  | 'vllm'
  | 'mj';

/** The calls by which a test sees a job through on a wire, whatever the vendor's words. */
export interface JobWire {
  start(prompt: string, headers?: Record<string, string>): Promise<Response>;
  idOf(startBody: Json): string;
  check(id: string): Promise<Response>;
  /** The vendor's word for the state. */
  wordOf(checkBody: Json): unknown;
  /** The link to the video, or what stands in its place; fetches it where it takes another call. */
  linkOf(checkBody: Json): Promise<unknown>;
  words: { running: string; done: string; failed: string };
}

/** JSON of any shape: what is read of it, the test says. */
// biome-ignore lint/suspicious/noExplicitAny: each vendor has a shape of its own, and each test names the fields it reads.
export type Json = any;

/** Jobs of the shortest, smallest video that each vendor makes. */
export function jobWires(url: () => string): Record<JobWireName, JobWire> {
  const read = async (path: string, key?: string) =>
    fetch(`${url()}${path}`, key === undefined ? {} : { headers: { authorization: `Bearer ${key}` } });
  const ark = '/ark/api/v3/contents/generations/tasks';
  const dashscope = '/dashscope/api/v1';
  const gemini = '/gemini/v1beta';
  const geminiKey = { 'x-goog-api-key': keyOf('gemini') };
  const kling = '/kling/v1/videos/text2video';
  const falEndpoint = 'fal-ai/kling-video/v3/standard/text-to-video';
  const vllmKey = { authorization: `Bearer ${keyOf('vllm')}` };
  const skyreels = '/skyreels/api/v1/video/text2video';
  return {
    ark: {
      start: (prompt, headers) =>
        post(`${url()}${ark}`, {
          key: keyOf('ark'),
          body: {
            model: 'seedance-2-0-260128',
            content: [{ type: 'text', text: prompt }],
            resolution: '480p',
            duration: 4,
            generate_audio: false,
          },
          ...(headers && { headers }),
        }),
      idOf: (body) => body.id,
      check: (id) => read(`${ark}/${id}`, keyOf('ark')),
      wordOf: (body) => body.status,
      linkOf: async (body) => body.content?.video_url,
      words: { running: 'running', done: 'succeeded', failed: 'failed' },
    },
    dashscope: {
      start: (prompt, headers) =>
        post(`${url()}${dashscope}/services/aigc/video-generation/video-synthesis`, {
          key: keyOf('dashscope'),
          headers: { 'x-dashscope-async': 'enable', ...headers },
          body: {
            model: 'wan3.0-video',
            input: { prompt },
            parameters: { resolution: '480P', duration: 2, audio: false },
          },
        }),
      idOf: (body) => body.output.task_id,
      check: (id) => read(`${dashscope}/tasks/${id}`, keyOf('dashscope')),
      wordOf: (body) => body.output.task_status,
      linkOf: async (body) => body.output.video_url,
      words: { running: 'RUNNING', done: 'SUCCEEDED', failed: 'FAILED' },
    },
    gemini: {
      start: (prompt, headers) =>
        post(`${url()}${gemini}/models/veo-3.1-lite-generate-preview:predictLongRunning`, {
          key: '',
          body: { instances: [{ prompt }], parameters: { durationSeconds: 4 } },
          headers: { ...geminiKey, ...headers },
        }),
      idOf: (body) => body.name.split('/').at(-1),
      check: (id) =>
        fetch(`${url()}${gemini}/models/veo-3.1-lite-generate-preview/operations/${id}`, { headers: geminiKey }),
      wordOf: ({ done, error, metadata, response }) => {
        if (!done) return metadata?.state ?? 'under way';
        return error || response.generateVideoResponse.raiMediaFilteredCount ? 'failed' : 'done';
      },
      async linkOf(body) {
        const video = body.response.generateVideoResponse.generatedSamples[0]?.video;
        if (typeof video?.uri !== 'string') return video?.uri;
        return (await fetch(video.uri, { headers: geminiKey, redirect: 'manual' })).headers.get('location');
      },
      words: { running: 'under way', done: 'done', failed: 'failed' },
    },
    minimax: {
      start: (prompt, headers) =>
        post(`${url()}/minimax/v1/video_generation`, {
          key: keyOf('minimax'),
          body: { model: 'MiniMax-Hailuo-02', prompt },
          ...(headers && { headers }),
        }),
      idOf: (body) => body.task_id,
      check: (id) => read(`/minimax/v1/query/video_generation?task_id=${id}`, keyOf('minimax')),
      wordOf: (body) => body.status,
      async linkOf(body) {
        if (typeof body.file_id !== 'string' || body.file_id === '') return body.file_id;
        const response = await read(`/minimax/v1/files/retrieve?file_id=${body.file_id}`, keyOf('minimax'));
        return ((await response.json()) as Json).file.download_url;
      },
      words: { running: 'Processing', done: 'Success', failed: 'Fail' },
    },
    kling: {
      start: (prompt, headers) =>
        post(`${url()}${kling}`, {
          key: keyOf('kling'),
          body: { model_name: 'kling-v3', prompt, duration: '3' },
          ...(headers && { headers }),
        }),
      idOf: (body) => body.data.task_id,
      check: (id) => read(`${kling}/${id}`, keyOf('kling')),
      wordOf: (body) => body.data.task_status,
      linkOf: async (body) => body.data.task_result.videos[0]?.url,
      words: { running: 'processing', done: 'succeed', failed: 'failed' },
    },
    skyreels: {
      start: (prompt, headers) =>
        post(`${url()}${skyreels}/submit`, {
          key: '',
          body: { api_key: keyOf('skyreels'), prompt, duration: 3, resolution: '480p' },
          ...(headers && { headers }),
        }),
      idOf: (body) => body.task_id,
      check: (id) => read(`${skyreels}/task/${id}`),
      wordOf: (body) => body.status,
      linkOf: async (body) => (body.data === null ? '' : body.data.video_url),
      words: { running: 'running', done: 'success', failed: 'failed' },
    },
    fal: {
      start: (prompt, headers) =>
        fetch(`${url()}/fal/${falEndpoint}`, {
          method: 'POST',
          headers: { authorization: `Key ${keyOf('fal')}`, 'content-type': 'application/json', ...headers },
          body: JSON.stringify({ prompt, duration: '3', generate_audio: false }),
        }),
      idOf: (body) => body.request_id,
      // The result of a complete request takes a call of its own.
      async check(id) {
        const link = `${url()}/fal/fal-ai/kling-video/requests/${id}`;
        const headers = { authorization: `Key ${keyOf('fal')}` };
        const status = await fetch(`${link}/status`, { headers });
        const isComplete = status.status === 200 && (await status.clone().text()).includes('"COMPLETED"');
        return isComplete ? fetch(link, { headers }) : status;
      },
      wordOf: (body) => body.status ?? (body.detail === undefined ? 'COMPLETED' : 'failed'),
      linkOf: async (body) => body.video?.url,
      words: { running: 'IN_PROGRESS', done: 'COMPLETED', failed: 'failed' },
    },
    replicate: {
      start: (prompt, headers) =>
        post(`${url()}/replicate/v1/models/minimax/hailuo-02/predictions`, {
          key: keyOf('replicate'),
          body: { input: { prompt, resolution: '512p' } },
          ...(headers && { headers }),
        }),
      idOf: (body) => body.id,
      check: (id) => read(`/replicate/v1/predictions/${id}`, keyOf('replicate')),
      wordOf: (body) => body.status,
      linkOf: async (body) => body.output,
      words: { running: 'processing', done: 'succeeded', failed: 'failed' },
    },
    vllm: {
      start: (prompt, headers) =>
        fetch(`${url()}/vllm/v1/videos`, {
          method: 'POST',
          headers: { ...vllmKey, ...headers },
          body: formOf({ prompt, seconds: '2', size: '832x480' }),
        }),
      idOf: (body) => body.id,
      check: (id) => fetch(`${url()}/vllm/v1/videos/${id}`, { headers: vllmKey }),
      wordOf: (body) => body.status,
      async linkOf({ id }) {
        const content = `${url()}/vllm/v1/videos/${id}/content`;
        return (await fetch(content, { headers: vllmKey, redirect: 'manual' })).headers.get('location');
      },
      words: { running: 'in_progress', done: 'completed', failed: 'failed' },
    },
    mj: {
      start: (prompt, headers) =>
        post(`${url()}/mj/submit/imagine`, { key: keyOf('mj'), body: { prompt }, ...(headers && { headers }) }),
      idOf: (body) => body.result,
      check: (id) => read(`/mj/task/${id}/fetch`, keyOf('mj')),
      wordOf: (body) => body.status,
      linkOf: async (body) => body.imageUrl,
      words: { running: 'IN_PROGRESS', done: 'SUCCESS', failed: 'FAILURE' },
    },
  };
}

function formOf(fields: Record<string, string>): FormData {
  const form = new FormData();
  for (const [name, value] of Object.entries(fields)) form.set(name, value);
  return form;
}
