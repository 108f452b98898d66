import { isJsonObject, type Json, type JsonObject, refusedBody } from '@mediagate/contracts';
import { MediaError, type PartFile, typeOfPart } from '@mediagate/media';

/** A file in a part. */
interface InlineData {
  field: string;
  holder: JsonObject;
  data: string;
}

/**
 * The body with each of its files called what its bytes say; the same object where all are called so. What is not as the protocol has it
 * is left to the model's schema.
 *
 * @param imageTypes types of images that the vendors of the model read.
 * @throws GatewayError `invalid_request`, naming the first file that models of texts do not take.
 */
export function nameFiles(body: JsonObject, imageTypes: PartFile['imageTypes']): JsonObject {
  let isSame = true;
  for (const { field, holder, data } of filesIn(body)) {
    const { mimeType = null, mime_type: wireType = null } = holder;
    const given = mimeType ?? wireType ?? '';
    if (typeof given !== 'string') continue;
    const type = judged({ field, declared: given, base64: data, takesIds: false, imageTypes });
    if (type === undefined || type === given) continue;
    Reflect.deleteProperty(holder, 'mime_type');
    holder['mimeType'] = type;
    isSame = false;
  }
  return isSame ? body : { ...body };
}

function judged(file: PartFile): string | undefined {
  try {
    return typeOfPart(file);
  } catch (error) {
    if (!(error instanceof MediaError)) throw error;
    throw refusedBody('invalid_request', [{ reason: 'bad_media', message: error.problem, param: file.field }]);
  }
}

function* filesIn(body: JsonObject): Generator<InlineData> {
  const contents = Array.isArray(body['contents']) ? body['contents'] : [];
  for (const [index, content] of contents.entries()) yield* filesOf(content, `contents[${index}]`);
  yield* filesOf(body['systemInstruction'] ?? body['system_instruction'], 'systemInstruction');
}

function* filesOf(content: Json | undefined, param: string): Generator<InlineData> {
  const parts = isJsonObject(content) ? content['parts'] : undefined;
  if (isJsonObject(parts)) yield* fileOf(parts, () => `${param}.parts`);
  if (!Array.isArray(parts)) return;
  for (const [index, part] of parts.entries()) yield* fileOf(part, () => `${param}.parts[${index}]`);
}

function* fileOf(part: Json, place: () => string): Generator<InlineData> {
  const name = isJsonObject(part) && ['inlineData', 'inline_data'].find((each) => isJsonObject(part[each]));
  const holder = name && (part[name] as JsonObject);
  if (holder && typeof holder['data'] === 'string') {
    yield { field: `${place()}.${name}.data`, holder, data: holder['data'] };
  }
}
