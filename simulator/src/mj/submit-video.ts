import type { Call, Endpoint, JsonObject } from '../vendor-call/contract';
import { textOf } from '../vendor-call/request-body';
import { checkPrompt, compileBody, field, photoOf, readJsonBody } from './body';
import { bookTask, detailOf } from './booking';
import { seedOf } from './image';
import { finishedTask } from './submit-follow-up';
import type { MjTools, TaskDetail, Work } from './task';
import { versionName } from './version';
import { longerVideos, videoOrders } from './videos';
import { invalid } from './wire';

const checkVideo = compileBody(
  {
    prompt: field.prompt,
    motion: { enum: ['low', 'high'] },
    image: field.image,
    endImage: field.image,
    loop: { type: 'boolean' },
    action: { enum: ['extend'] },
    taskId: field.id,
    // Counted from 0.
    index: { type: 'integer', minimum: 0, maximum: 3 },
    videoType: { enum: ['vid_1.1_i2v_480', 'vid_1.1_i2v_720'] },
    batchSize: { enum: [1, 2, 4] },
  },
  [],
);
type VideoBody = ReturnType<typeof checkVideo>;

/** `POST /submit/video`: videos of an image, or a video of an earlier task made longer. */
export function createVideoSubmit(tools: MjTools): Endpoint<JsonObject, TaskDetail> {
  return {
    read: readJsonBody,
    describe: (_request, body) => ({
      model: textOf(body['videoType']) || DEFAULT_TYPE,
      prompt: textOf(body['prompt']),
    }),
    prepare: (body, call) => prepare(checkVideo(body, call), call, tools),
    start: (detail, call) => bookTask(detail, call, tools),
  };
}

const DEFAULT_TYPE = 'vid_1.1_i2v_480';
const DEFAULT_BATCH = 4;

async function prepare(request: VideoBody, call: Call, tools: MjTools): Promise<TaskDetail> {
  const read = checkPrompt(request.prompt ?? '', request);
  const isExtension = request.action === 'extend';
  if (!isExtension && request.taskId !== undefined) call.warn('taskId is looked at with action extend alone');
  const seed = read.seed ?? seedOf(read.full, request.taskId ?? '', request.index ?? 0);
  const words = read.words;
  const work = isExtension ? extension(request, { seed, tools }) : await videosOf(request, { seed, words, tools });
  const { version } = read;
  const task = { action: 'VIDEO', read, prompt: read.text, fullPrompt: read.full, version, seed, work } as const;
  return detailOf({ ...task, description: `/video ${versionName(version)}` }, request, call);
}

async function videosOf(
  request: VideoBody,
  { seed, words, tools }: { seed: number; words: string; tools: MjTools },
): Promise<Work> {
  const { image, endImage, loop = false, videoType = DEFAULT_TYPE, batchSize = DEFAULT_BATCH } = request;
  if (image === undefined) throw invalid('image is required');
  if (endImage !== undefined && loop) throw invalid('endImage and loop exclude each other');
  const first = await photoOf('image', image, tools);
  if (endImage !== undefined) await photoOf('endImage', endImage, tools);
  const lines = videoType === DEFAULT_TYPE ? 480 : 720;
  return { kind: 'videos', videos: videoOrders({ words, seed, count: batchSize, lines, first }) };
}

function extension(
  { taskId, index, batchSize = DEFAULT_BATCH }: VideoBody,
  { seed, tools }: { seed: number; tools: MjTools },
): Work {
  if (taskId === undefined || index === undefined) throw invalid('taskId and index are required');
  const { work } = finishedTask(taskId, tools).detail;
  const video = work.kind === 'videos' ? work.videos[index] : undefined;
  if (!video) throw invalid('the related task has no such video');
  const videos = longerVideos(video, { seed, count: batchSize });
  if (!videos) throw invalid('the video cannot be extended any further');
  return { kind: 'videos', videos };
}
