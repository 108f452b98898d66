import type { ImgtoolRequest, JsonObject, LoadedMedia } from '@mediagate/contracts';
import { dataUri } from '../image-call';
import { present } from '../json-guards';

/** The number that the server makes by default. */
export const VIDEOS_BY_DEFAULT = 4;

/** The fields of the route for videos that are not about the first image. The server requires a prompt, if only a flag. */
export function videoBody(
  { prompt, motion, videoType, batchSize }: ImgtoolRequest,
  end: LoadedMedia | undefined,
): JsonObject {
  return present<JsonObject>({
    prompt: prompt ?? motionFlag(motion),
    motion,
    endImage: end === undefined ? undefined : dataUri(end),
    videoType: videoType === undefined ? undefined : `vid_1.1_i2v_${videoType}`,
    batchSize,
  });
}

/**
 * A button takes no fields. What it does not make of itself is said in the window that remixing opens, as flags behind the
 * words; undefined where it makes all that is asked.
 */
export function animateWords({ prompt, motion, endUrl, batchSize }: ImgtoolRequest): string | undefined {
  const fewer = batchSize !== undefined && batchSize !== VIDEOS_BY_DEFAULT;
  if (prompt === undefined && endUrl === undefined && !fewer) return undefined;
  const end = endUrl === undefined ? [] : [`--end ${endUrl}`];
  const batch = fewer ? [`--bs ${batchSize}`] : [];
  return [...(prompt === undefined ? [] : [prompt]), motionFlag(motion), ...end, ...batch].join(' ');
}

function motionFlag(motion: ImgtoolRequest['motion'] = 'low'): string {
  return `--motion ${motion}`;
}
