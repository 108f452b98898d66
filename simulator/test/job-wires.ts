import { keyOf, post } from './simulator-under-test';

export type JobWireName = 'ark' | 'dashscope' | 'minimax' | 'kling' | 'skyreels';

/** The calls by which a test sees a job through on a wire, whatever the vendor's words. */
export interface JobWire {
  start(prompt: string, headers?: Record<string, string>): Promise<Response>;
  idOf(startBody: Json): string;
  check(id: string): Promise<Response>;
  /** The link to the video, or what stands in its place; fetches it where it takes another call. */
  linkOf(checkBody: Json): Promise<unknown>;
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
  const kling = '/kling/v1/videos/text2video';
  const skyreels = '/skyreels/api/v1/video/text2video';
  return {
    ark: {
      start: (prompt, headers) =>
        post(`${url()}${ark}`, {
          key: keyOf('ark'),
          body: {
            model: 'dreamina-seedance-2-0-260128',
            content: [{ type: 'text', text: prompt }],
            resolution: '480p',
            duration: 4,
            generate_audio: false,
          },
          ...(headers && { headers }),
        }),
      idOf: (body) => body.id,
      check: (id) => read(`${ark}/${id}`, keyOf('ark')),
      linkOf: async (body) => body.content?.video_url,
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
      linkOf: async (body) => body.output.video_url,
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
      async linkOf(body) {
        if (typeof body.file_id !== 'string' || body.file_id === '') return body.file_id;
        const response = await read(`/minimax/v1/files/retrieve?file_id=${body.file_id}`, keyOf('minimax'));
        return ((await response.json()) as Json).file.download_url;
      },
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
      linkOf: async (body) => body.data.task_result.videos[0]?.url,
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
      linkOf: async (body) => (body.data === null ? '' : body.data.video_url),
    },
  };
}
