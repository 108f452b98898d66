import type { Canvas } from '../media/drawing';
import { isJsonObject, textOf } from '../vendor-call/request-body';
import { closedObject, compileShape, type Fields, type Of, pathOf } from '../vendor-call/shape';
import type { VideoService } from './video-service';
import { invalidArgument } from './wire';

export type Resolution = '720p' | '1080p' | '4k';
export type Shape = '16:9' | '9:16';

interface VideoModel {
  resolutions: readonly Resolution[];
  maxReferences: number;
}

const whole: VideoModel = { resolutions: ['720p', '1080p', '4k'], maxReferences: 3 };
const lite: VideoModel = { resolutions: ['720p', '1080p'], maxReferences: 0 };
const videoModels: Record<VideoService['name'], Record<string, VideoModel>> = {
  gemini: {
    'veo-3.1-generate-preview': whole,
    'veo-3.1-fast-generate-preview': whole,
    'veo-3.1-lite-generate-preview': lite,
  },
  vertex: {
    'veo-3.1-generate-001': whole,
    'veo-3.1-fast-generate-001': whole,
    'veo-3.1-lite-generate-001': lite,
  },
};

export function videoModelNames(service: VideoService['name']): string[] {
  return Object.keys(videoModels[service]);
}

const SECONDS = [4, 6, 8] as const;
const LONGEST_SECONDS = 8;

const text = { type: 'string' } as const;
const image = closedObject({ bytesBase64Encoded: text, mimeType: text }, ['bytesBase64Encoded', 'mimeType']);
const instance = closedObject(
  {
    prompt: { type: 'string', minLength: 1 },
    image,
    lastFrame: image,
    referenceImages: {
      type: 'array',
      items: closedObject({ image, referenceType: { enum: ['asset', 'ASSET'] } }, ['image', 'referenceType']),
    },
  },
  ['prompt'],
);
const parameters = {
  aspectRatio: { enum: ['16:9', '9:16'] },
  resolution: { enum: ['720p', '1080p', '4k'] },
  durationSeconds: { enum: [...SECONDS, ...SECONDS.map(String)] },
  negativePrompt: text,
  personGeneration: { enum: ['allow_all', 'allow_adult', 'dont_allow'] },
  sampleCount: { const: 1 },
} as const;
/** As version 3 of the vendor's client sends them; what has to do with buckets and queues is not played. */
const vertexParameters = { generateAudio: { type: 'boolean' }, seed: { type: 'integer', minimum: 0 } } as const;
const instances = { type: 'array', minItems: 1, maxItems: 1, items: instance };

export type InlineImage = Of<typeof image>;
export type VideoInstance = Of<typeof instance>;
export type VideoParameters = Fields<typeof parameters & typeof vertexParameters>;

interface VideoRequest {
  instances: [VideoInstance];
  parameters?: VideoParameters;
}

const shapeOf = (fields: object) =>
  compileShape<object, VideoRequest>(closedObject({ instances, parameters: closedObject(fields) }, ['instances']));
const checkShapes = { gemini: shapeOf(parameters), vertex: shapeOf({ ...parameters, ...vertexParameters }) };

/** The typed request for a model that there is; throws the vendor's refusal of the first fault. */
export function checkVideoRequest(body: unknown, model: string, service: VideoService['name']): Required<VideoRequest> {
  const shape = checkShapes[service](body);
  if (!shape.ok) {
    const field = pathOf(shape.error).at(-1) ?? 'instances';
    throw shape.error.keyword === 'additionalProperties' ? unsupported(field) : outOfBounds(field);
  }
  const { instances, parameters: wanted = {} } = shape.value;
  checkCombination(instances[0], wanted, videoModels[service][model] ?? whole);
  if (service === 'gemini') checkPersons(instances[0], wanted);
  return { instances, parameters: wanted };
}

/** Refuses values that the model does not take, or not together. */
function checkCombination(
  { image: first, lastFrame, referenceImages = [] }: VideoInstance,
  { resolution = '720p', ...wanted }: VideoParameters,
  { resolutions, maxReferences }: VideoModel,
): void {
  if (!resolutions.includes(resolution)) throw outOfBounds('resolution');
  if (maxReferences === 0 && referenceImages.length > 0) throw unsupported('referenceImages');
  if (referenceImages.length > maxReferences) throw outOfBounds('referenceImages');
  if (lastFrame && !first) throw unsupported('lastFrame');
  if (first && referenceImages.length > 0) throw unsupported('referenceImages');
  const needsLongest = resolution !== '720p' || referenceImages.length > 0;
  if (needsLongest && secondsOf(wanted) !== LONGEST_SECONDS) throw outOfBounds('durationSeconds');
}

/** Vertex leaves the choice to whoever asks. */
function checkPersons(
  { image: first, referenceImages = [] }: VideoInstance,
  { personGeneration }: VideoParameters,
): void {
  const persons = first || referenceImages.length > 0 ? 'allow_adult' : 'allow_all';
  if (personGeneration !== undefined && personGeneration !== persons) {
    throw invalidArgument(`${personGeneration} for personGeneration is currently not supported.`);
  }
}

export function secondsOf({ durationSeconds = LONGEST_SECONDS }: VideoParameters): number {
  return Number(durationSeconds);
}

const canvases: Record<Resolution, Canvas> = {
  '720p': { width: 1_280, height: 720 },
  '1080p': { width: 1_920, height: 1_080 },
  '4k': { width: 3_840, height: 2_160 },
};

export function videoCanvas({ resolution = '720p', aspectRatio = '16:9' }: VideoParameters): Canvas {
  const { width, height } = canvases[resolution];
  return aspectRatio === '16:9' ? { width, height } : { width: height, height: width };
}

/** The prompt, before anything is known to have the right shape. */
export function videoPrompt(body: unknown): string {
  const instances = isJsonObject(body) && Array.isArray(body['instances']) ? body['instances'] : [];
  const [first]: unknown[] = instances;
  return isJsonObject(first) ? textOf(first['prompt']) : '';
}

function unsupported(field: string) {
  return invalidArgument(
    `\`${field}\` isn't supported by this model. Please remove it or refer to the Gemini API documentation for supported usage.`,
  );
}

function outOfBounds(field: string) {
  return invalidArgument(`The value for \`${field}\` is out of bound. Please refer to the Gemini API documentation.`);
}
