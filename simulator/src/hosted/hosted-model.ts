import { canvasOfArea, canvasOfShortSide, ratioOf } from '../media/canvas';
import type { Canvas } from '../media/drawing';
import type { JsonObject } from '../vendor-call/contract';
import { compileShape, pathOf } from '../vendor-call/shape';

/** A model of a vendor that hosts many, each with fields of its own. */
export interface HostedModel {
  makes: 'images' | 'video';
  /** Checks the input by the model's documentation; unknown fields pass. */
  check(input: JsonObject): InputFault | undefined;
  knows(field: string): boolean;
  /** Fields with the address of an image, or a list of them; the first of them all gives the shape where nothing else does. */
  imageFields: readonly string[];
  /** Fields with the address of a video or a sound. */
  clipFields: readonly string[];
  canvas(input: JsonObject, image: Canvas | undefined): Canvas;
}

/** In the words of pydantic, as both vendors have them. */
export interface InputFault {
  path: string[];
  type: string;
  message: string;
}

interface Declared extends Pick<HostedModel, 'makes' | 'canvas'> {
  required: readonly string[];
  properties: Record<string, object>;
  imageFields?: readonly string[];
  clipFields?: readonly string[];
}

export function hostedModel({
  required,
  properties,
  imageFields = [],
  clipFields = [],
  ...rest
}: Declared): HostedModel {
  const checkShape = compileShape({ type: 'object', required, properties });
  return {
    ...rest,
    imageFields,
    clipFields,
    knows: (field) => Object.hasOwn(properties, field),
    check(input) {
      const shape = checkShape(input);
      if (shape.ok) return undefined;
      const { error } = shape;
      const type = TYPES[error.keyword] ?? 'value_error';
      return { path: pathOf(error), type, message: type === 'missing' ? 'Field required' : `Input ${error.message}` };
    },
  };
}

const TYPES: Record<string, string> = {
  required: 'missing',
  enum: 'literal_error',
  maximum: 'less_than_equal',
  minimum: 'greater_than_equal',
  type: 'type_error',
};

/** A canvas of that many pixels, in the ratio that a word as `16:9` says; without one in that of the image, or the one given. */
export function imageCanvas(word: unknown, { pixels, image, ratio = 1 }: ImageShape): Canvas {
  return canvasOfArea(pixels, ratioOf(String(word)) ?? (image ? image.width / image.height : ratio));
}

interface ImageShape {
  pixels: number;
  image: Canvas | undefined;
  ratio?: number;
}

/** A video of a resolution as `720p`, in the shape of the ratio or the image. */
export function videoCanvas(resolution: unknown, word: unknown, image: Canvas | undefined): Canvas {
  const shortSide = resolution === '4k' ? 2160 : Number.parseInt(String(resolution), 10) || 720;
  return canvasOfShortSide(shortSide, ratioOf(String(word)) ?? (image ? image.width / image.height : 16 / 9));
}
