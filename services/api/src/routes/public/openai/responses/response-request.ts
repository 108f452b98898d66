import { OPENAI_TEXT_REQUESTS } from '@mediagate/api-contract';
import type { JsonObject } from '@mediagate/contracts';
import type { ReadText } from '../create-text';
import { FieldReader, type ReadingLimits } from '../field-reader';
import { readTools } from '../function-tools';
import {
  type ConfigNames,
  MAX_COST,
  readEffort,
  readFormat,
  readMaxCost,
  readNumbers,
  requireSound,
  SAMPLING,
} from '../text-options';
import { createUnreadJudge } from '../unread-fields';
import { readInput } from './response-items';
import { createSendResponse } from './send-response';
import { createSendResponseEvents } from './send-response-events';

const LENGTH = 'max_output_tokens';
const INTEGERS: ConfigNames = { [LENGTH]: 'maxOutputTokens' };
const warnOfUnread = createUnreadJudge(OPENAI_TEXT_REQUESTS.response, {
  length: LENGTH,
  thinking: 'reasoning.effort',
  asked: 'input',
});

/**
 * The body of a response in the shape that text models take here.
 *
 * @throws GatewayError `invalid_request` with all that is wrong, and whatever `limits.takeMemory` throws.
 */
export async function readResponseRequest(sent: JsonObject, limits: ReadingLimits): Promise<ReadText> {
  const fields = new FieldReader(limits);
  const warnings = warnOfUnread(sent, fields);
  const generationConfig = readConfig(sent, fields);
  const body: JsonObject = {
    ...readInput(sent, fields),
    ...readTools(sent, {}, fields),
    ...(Object.keys(generationConfig).length === 0 ? {} : { generationConfig }),
  };
  const stream = fields.flag(sent['stream'], 'stream');
  const maxCost = readMaxCost(sent[MAX_COST], fields);
  const parallelToolCalls = fields.flag(sent['parallel_tool_calls'] ?? true, 'parallel_tool_calls');
  await requireSound(fields, 'input', 'input_image');
  const answer = (model: string) => {
    return (stream ? createSendResponseEvents : createSendResponse)({ model, sent, warnings, parallelToolCalls });
  };
  const fieldOfFile = (name: string) => fields.fieldOfFile(name, body);
  return { body, links: fields.links, stream, maxCost, parallelToolCalls, warnings, fieldOfFile, answer };
}

function readConfig(sent: JsonObject, fields: FieldReader): JsonObject {
  const { text: wanted, reasoning: thinking } = sent;
  const text = wanted === undefined ? undefined : fields.object(wanted, 'text');
  const reasoning = thinking === undefined ? undefined : fields.object(thinking, 'reasoning');
  const wantedFormat = text?.['format'] ?? undefined;
  const format = wantedFormat === undefined ? undefined : fields.object(wantedFormat, 'text.format');
  return {
    ...readNumbers(sent, { numbers: SAMPLING, integers: INTEGERS }, fields),
    ...readEffort(reasoning?.['effort'] ?? undefined, 'reasoning.effort', fields),
    ...(format &&
      readFormat(format, 'text.format', { fields, schemaOf: () => [format['schema'], 'text.format.schema'] })),
  };
}
