import { type JsonObject, type LoadedMedia, message, type VideoInput, type VideoRequest } from '@mediagate/contracts';
import type { FileOutline, Lack } from '../contract';
import { present } from '../json-guards';
import { lack } from '../lacks';
import { isLastFrameAlone, type VideoAbility, videoLack } from '../video-ability';
import { inlineFile, WORDLESS } from '../video-call';

/** A generation of Veo and the requests that it takes, whatever a channel calls its model. */
export interface Generation {
  name: string;
  ability: VideoAbility;
}

const MEBIBYTE = 1024 * 1024;
/** Together: in base64 they must fit into a request of 20 MB. */
const FILES_MAX_BYTES = 14 * MEBIBYTE;
/** Above 720p, and with references, the longest alone. */
const LENGTHS: readonly unknown[] = [4, 6, 8];
const LONGEST = 8;

const veo31: Generation = {
  name: '3.1',
  ability: {
    resolutions: { '720p': '720p', '1080p': '1080p', '4k': '4k' },
    aspectRatios: new Set(['16:9', '9:16']),
    roles: new Set(['first_frame', 'last_frame', 'reference_image']),
    seconds: [4, LONGEST],
    audio: 'always',
    negativePrompt: true,
    files: { image: { contentTypes: ['image/jpeg', 'image/png', 'image/webp'], maxBytes: FILES_MAX_BYTES } },
    most: { first_frame: 1, last_frame: 1, reference_image: 3 },
  },
};

const veo31Lite: Generation = {
  name: '3.1-lite',
  ability: {
    ...veo31.ability,
    resolutions: { '720p': '720p', '1080p': '1080p' },
    roles: new Set(['first_frame', 'last_frame']),
  },
};

const GENERATIONS: readonly Generation[] = [veo31Lite, veo31];
export const GENERATION_NAMES: readonly string[] = GENERATIONS.map(({ name }) => name);

/** By the option `generation`, or by the model's name: `veo-3.1-lite-generate-preview`, `veo-3.1-fast-generate-preview`. */
export function generationOf(model: string, named: unknown): Generation | undefined {
  if (typeof named === 'string') return GENERATIONS.find(({ name }) => name === named);
  return GENERATIONS.find(({ name }) => model.includes(`veo-${name}`));
}

/** The part of a request that a generation cannot be asked for; undefined: none. */
export function veoLack(video: VideoRequest, files: readonly FileOutline[], { ability }: Generation): Lack | undefined {
  return videoLack(video, files, ability) ?? lengthLack(video) ?? inputLack(video) ?? sizeLack(files);
}

function lengthLack({ seconds, resolution, inputs }: VideoRequest): Lack | undefined {
  if (!LENGTHS.includes(seconds)) return lack(message('takes_no_length', { seconds }), 'seconds');
  if (seconds === LONGEST) return undefined;
  if (resolution !== '720p') return lack(message('takes_no_length_at', { seconds, resolution }), 'seconds');
  const isReferring = inputs.some(({ role }) => role === 'reference_image');
  return isReferring ? lack(message('takes_no_length', { seconds }), 'seconds') : undefined;
}

function inputLack(video: VideoRequest): Lack | undefined {
  if (isLastFrameAlone(video)) return lack(message('takes_no_lone_last_frame'), 'last_frame');
  const roles = new Set(video.inputs.map(({ role }) => role));
  if (!roles.has('first_frame') || !roles.has('reference_image')) return undefined;
  return lack(message('takes_no_frames_with_references'), 'reference_image');
}

function sizeLack(files: readonly FileOutline[]): Lack | undefined {
  const bytes = files.reduce((sum, { bytes = 0 }) => sum + bytes, 0);
  return bytes <= FILES_MAX_BYTES ? undefined : lack(message('takes_no_files_as_large'), files[0]?.field);
}

/** An input with its bytes: the vendor fetches nothing. */
interface InlineInput {
  role: VideoInput['role'];
  image: JsonObject;
}

/** With the first that was not loaded, where there is one. The files are in the order of the inputs. */
export function inlineInputs(
  { inputs }: VideoRequest,
  media: readonly LoadedMedia[],
): InlineInput[] | { notLoaded: VideoInput['role'] } {
  const inline: InlineInput[] = [];
  for (const [index, { role, url }] of inputs.entries()) {
    const file = inlineFile(url, media[index]);
    if (file === undefined) return { notLoaded: role };
    inline.push({ role, image: { bytesBase64Encoded: file.base64, mimeType: file.contentType } });
  }
  return inline;
}

interface Wish extends Pick<Generation, 'ability'> {
  personGeneration: string | undefined;
  isVertex: boolean;
}

export function requestBody(
  video: VideoRequest,
  inputs: readonly InlineInput[],
  { ability, personGeneration, isVertex }: Wish,
): JsonObject {
  const { prompt = WORDLESS, negativePrompt, aspectRatio, resolution, seconds } = video;
  const imageAs = (wanted: VideoInput['role']) => inputs.find(({ role }) => role === wanted)?.image;
  const references = inputs.filter(({ role }) => role === 'reference_image');
  return {
    instances: [
      present<JsonObject>({
        prompt,
        image: imageAs('first_frame'),
        lastFrame: imageAs('last_frame'),
        referenceImages:
          references.length === 0
            ? undefined
            : references.map(({ image }): JsonObject => ({ image, referenceType: 'asset' })),
      }),
    ],
    parameters: present<JsonObject>({
      sampleCount: 1,
      aspectRatio,
      resolution: ability.resolutions[resolution],
      durationSeconds: seconds,
      negativePrompt,
      personGeneration,
      // The one service has no such field, the other makes it required.
      generateAudio: isVertex ? true : undefined,
    }),
  };
}
