import { listed, type MediaReference } from '@mediagate/contracts';
import { defineModel } from '../../../define-model';
import type { ParsedInput, RejectedInput, SourceReference, SourceTask } from '../../../entry';
import { given } from '../../../given';
import { images, metadata, parentTask, prompt } from '../../../imgtool/fields';
import { readPaidFlags } from '../../../imgtool/flags';
import { bound, boundParent, finishedParent } from '../../../imgtool/follow-up';
import { imageFiles, imagesAreFiles } from '../../../imgtool/images';
import { videoOperation } from '../../../imgtool/operation';
import { cannotCombine, missing, reject, rewrite } from '../../../rules';

interface Input {
  image_urls?: readonly string[];
  task_id?: string;
  index?: number;
  video_type: string | number;
  end_url?: string;
}

export default defineModel({
  ...videoOperation(),
  route: { paths: ['/v1/imgtool/generations/video'], summary: 'Make a video of an image' },
  input: {
    type: 'object',
    additionalProperties: false,
    properties: {
      image_urls: images(1, 1),
      ...parentTask,
      index: {
        type: 'integer',
        minimum: 0,
        maximum: 4,
        description: 'Which image of that task, from 1; 0 is read as 1.',
      },
      prompt,
      video_type: { type: ['string', 'number'], default: '480', description: '480 or 720.' },
      motion: { type: 'string', enum: ['low', 'high'] },
      batch_size: { type: 'integer', enum: [1, 2, 4], default: 1, description: 'Videos, each paid for.' },
      end_url: { type: 'string', description: 'An image that the video ends with, as those of `image_urls`.' },
      metadata,
    },
  },
  read: readPaidFlags,
  rules: [hasOneBeginning, typeIsKnown, imagesAreFiles],
  source: (input: Input): SourceReference | undefined =>
    input.task_id === undefined ? undefined : { field: 'task_id', taskId: input.task_id },
  bindSource: bindImage,
  media: beginningAndEnd,
  request: (input) => ({
    action: 'video',
    // There is no slower one.
    speed: 'fast',
    videoType: input.video_type === '720' ? '720' : '480',
    batchSize: input.batch_size,
    ...given({ prompt: input.prompt, motion: input.motion, endUrl: input.end_url, index: placeOf(input) }),
    ...boundParent(input),
  }),
  examples: [
    { image_urls: ['https://example.com/fox.png'], motion: 'low', batch_size: 2 },
    { image_urls: ['https://example.com/fox.png'], video_type: 720, end_url: 'https://example.com/owl.png' },
    { task_id: 'task_01m7y2sj24fztvyr284w6jthg6', index: 1, prompt: 'the lamp turns' },
  ],
});

/** The image's place among those of its task, from 0. */
function placeOf({ index }: Pick<Input, 'index'>): number | undefined {
  return index === undefined ? undefined : Math.max(index, 1) - 1;
}

function hasOneBeginning({ image_urls: urls, task_id: taskId, index }: Input) {
  if (urls === undefined && taskId === undefined)
    return missing('image_urls', 'image_or_task_required', { task: 'task_id', index: 'index' });
  if (urls !== undefined && taskId !== undefined)
    return cannotCombine('task_id', 'not_together', { other: 'image_urls' });
  return taskId !== undefined && index === undefined
    ? missing('index', 'required_with', { other: 'task_id' })
    : undefined;
}

/** `480`, `"720"`, `vid_1.1_i2v_720`. */
function typeIsKnown({ video_type: type }: Input) {
  const known = /^(?:vid_1\.1_i2v_)?(480|720)$/i.exec(String(type).trim())?.[1];
  return known === undefined
    ? reject('video_type', 'must_be', { values: listed('or', ['480', '720']) })
    : rewrite({ video_type: known });
}

/**
 * An earlier task's image is not the caller's to answer for: where it is gone, or larger than callers' own may be, the
 * channel that made it animates it by its button.
 */
function beginningAndEnd(input: Input): MediaReference[] {
  const files = imageFiles(input);
  if (input.task_id === undefined) return files;
  return files.map((file) => (file.field === 'end_url' ? file : { ...file, optional: true }));
}

/** The image itself goes along, so that any channel can animate it; videos are continued where they were made. */
function bindImage(input: Input, task: SourceTask): ParsedInput | RejectedInput {
  const parent = finishedParent(task);
  if ('ok' in parent) return parent;
  const { image_urls: images, videos } = task.result ?? {};
  const place = placeOf(input) ?? 0;
  const image = Array.isArray(images) ? images[place] : undefined;
  // A place whose image was lost is empty.
  if (typeof image === 'string' && image !== '') return bound({ ...input, image_urls: [image] }, parent);
  if (Array.isArray(videos) && videos[place] !== undefined) return bound(input, parent);
  return reject('index', 'no_such_image');
}
