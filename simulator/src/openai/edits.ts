import type { Request } from 'express';
import type { Clock } from '../clock';
import { withoutDirectives } from '../faults/directive';
import type { Canvas } from '../media/drawing';
import { inspectImage } from '../media/inspect-image';
import type { Endpoint, JsonObject } from '../vendor-call/contract';
import { type Form, type FormFile, readForm } from '../vendor-call/form';
import { textOf } from '../vendor-call/request-body';
import { compileShape, type Fields } from '../vendor-call/shape';
import { type ImageJob, runImageJob } from './image-job';
import { tooLarge } from './json-body';
import { imageParameterShapes, resolveParameters, shapeRefusal } from './parameters';
import { resolveSize } from './size';
import { invalidRequest } from './wire';

const MAX_FORM_BYTES = 256 * 1024 * 1024;

const editParameterShapes = { ...imageParameterShapes, input_fidelity: { enum: ['high', 'low', null] } } as const;
type EditParameters = Fields<typeof editParameterShapes, 'model' | 'prompt'>;

const checkForm = compileShape({
  type: 'object',
  required: ['model', 'prompt'],
  additionalProperties: false,
  properties: editParameterShapes,
});

/** `POST /v1/images/edits`, as a multipart form with files. */
export function createEdits({ clock }: { clock: Clock }): Endpoint<Form, ImageJob> {
  return {
    read(request: Request) {
      const broken = () => invalidRequest(null, null, 'Could not parse multipart form.');
      return readForm(request, { maxBytes: MAX_FORM_BYTES, tooLarge, broken });
    },
    describe: (_request, { fields }) => ({ model: textOf(fields['model']), prompt: textOf(fields['prompt']) }),
    async prepare(form) {
      const parameters = readParameters(form);
      const resolved = resolveParameters(parameters);
      refuseInputFidelity(parameters);
      const uploads = readFormUploads(form.files);
      const inputs = await checkImages(uploads.images);
      if (uploads.mask) await checkMask(uploads.mask, inputs);
      const prompt = withoutDirectives(parameters.prompt);
      const canvas = resolveSize(resolved.size, { prompt, firstImage: inputs[0] });
      return { ...resolved, ...canvas, prompt, inputs, createdAtMs: clock.now() };
    },
    run: runImageJob,
  };
}

function readParameters({ fields }: Form): EditParameters {
  const shape = checkForm(typedFields(fields));
  if (!shape.ok) throw shapeRefusal(shape.error);
  return shape.value;
}

/** A form carries text only: what should be a number or a boolean is read as one, the rest is left for the check. */
function typedFields(fields: JsonObject): JsonObject {
  return Object.fromEntries(Object.entries(fields).map(([name, value]) => [name, typedField(name, textOf(value))]));
}

function typedField(name: string, text: string): unknown {
  if (integerFields.has(name) && /^-?\d+(\.\d+)?$/.test(text)) return Number(text);
  if (name === 'stream' && /^(true|false)$/.test(text)) return text === 'true';
  return text;
}

const integerFields = new Set(['n', 'output_compression', 'partial_images']);

/** These models always look at their input closely, and say so instead of ignoring the parameter. */
function refuseInputFidelity(parameters: EditParameters): void {
  if (parameters.input_fidelity == null) return;
  const message = `The model '${parameters.model}' does not support the 'input_fidelity' parameter.`;
  throw invalidRequest('input_fidelity', 'invalid_input_fidelity_model', message);
}

/** One image as it came in, with the name of its parameter for the error message. */
interface Upload {
  param: string;
  bytes: Buffer;
  contentType: string;
}

interface Uploads {
  images: Upload[];
  mask: Upload | undefined;
}

/** The files of a form: `image` or `image[]` repeated, and `mask`. */
function readFormUploads(files: FormFile[]): Uploads {
  const stranger = files.find((file) => !['image', 'image[]', 'mask'].includes(file.field));
  if (stranger) throw invalidRequest(stranger.field, 'unknown_parameter', `Unknown parameter: '${stranger.field}'.`);
  const images = files.filter((file) => file.field !== 'mask');
  const many = images.length > 1;
  return {
    images: images.map((file, index) => ({ ...file, param: many ? `image[${index}]` : 'image' })),
    mask: files.filter((file) => file.field === 'mask').map((file) => ({ ...file, param: 'mask' }))[0],
  };
}

const MAX_IMAGE_BYTES = 50 * 1024 * 1024;

const MAX_IMAGES = 16;
const MAX_MASK_BYTES = 4 * 1024 * 1024;
const mimeTypes: Record<string, string> = { png: 'image/png', jpeg: 'image/jpeg', webp: 'image/webp' };

/** The input images, decoded once to know that they can be; throws the vendor's refusal. */
async function checkImages(uploads: Upload[]): Promise<Canvas[]> {
  if (uploads.length === 0)
    throw invalidRequest('image', 'missing_required_parameter', "Missing required parameter: 'image'.");
  if (uploads.length > MAX_IMAGES) {
    const message = `Invalid 'image': array too long. Expected an array with maximum length ${MAX_IMAGES}.`;
    throw invalidRequest('image', 'array_above_max_length', message);
  }
  const images: Canvas[] = [];
  for (const [index, upload] of uploads.entries()) images.push(await checkImage(upload, index + 1));
  return images;
}

/** Throws the vendor's refusal of a mask that is no PNG below 4 MB with an alpha channel and the first image's size. */
async function checkMask(upload: Upload, images: Canvas[]): Promise<void> {
  if (upload.bytes.length >= MAX_MASK_BYTES) {
    throw invalidRequest('mask', 'mask_too_large', "Invalid 'mask': the mask must be a PNG smaller than 4MB.");
  }
  const mask = await inspectImage(upload.bytes);
  if (mask?.format !== 'png') {
    throw invalidRequest(
      'mask',
      'invalid_mask_image_format',
      'Invalid mask image format - the mask must be a PNG image.',
    );
  }
  if (!mask.hasAlpha) {
    throw invalidRequest(
      'mask',
      'invalid_mask_image_format',
      'Invalid mask image format - mask image missing alpha channel.',
    );
  }
  const [first] = images;
  if (mask.width !== first?.width || mask.height !== first.height) {
    const message = `Invalid mask: mask size (${mask.width}x${mask.height}) does not match image size (${first?.width}x${first?.height}).`;
    throw invalidRequest('mask', 'invalid_mask_image_size', message);
  }
}

async function checkImage(upload: Upload, number: number): Promise<Canvas> {
  const type = upload.contentType.split(';')[0]?.trim() ?? '';
  if (!Object.values(mimeTypes).includes(type)) {
    const message = `Invalid file '${upload.param}': unsupported mimetype ('${type.slice(0, 60)}'). Supported file formats are 'image/jpeg', 'image/png', and 'image/webp'.`;
    throw invalidRequest(upload.param, 'unsupported_file_mimetype', message);
  }
  if (upload.bytes.length > MAX_IMAGE_BYTES)
    throw invalidRequest(
      upload.param,
      'file_too_large',
      `Invalid file '${upload.param}': file too large. Images should be less than 50MB.`,
    );
  const image = await inspectImage(upload.bytes);
  if (!image || mimeTypes[image.format] === undefined) {
    const message = `Invalid image file or mode for image ${number}, please check your image file.`;
    throw invalidRequest(upload.param, 'invalid_image_file', message);
  }
  return image;
}
