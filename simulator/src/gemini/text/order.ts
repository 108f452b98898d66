import { linesWithoutDirectives } from '../../faults/directive';
import { isBase64 } from '../../media/base64';
import type { JsonObject } from '../../vendor-call/contract';
import type { FunctionDeclaration, GenerateContentRequest, GenerationConfig, Part } from '../request';
import { invalidArgument } from '../wire';
import { checkSignatures } from './signatures';
import { goesByLevels, type Thinking, thinkingOf } from './thinking';
import { type PromptTokens, promptTokensOf } from './tokens';

/** A checked order of text. */
export interface TextOrder {
  /** The one that answers. */
  model: string;
  /** Empty without an instruction. */
  instruction: string;
  /** The texts of the last turn, without directives. */
  prompt: string;
  promptTokens: PromptTokens;
  candidates: number;
  /** Limit on each candidate, its thoughts included. */
  maxOutputTokens: number;
  stopSequences: string[];
  format: { kind: 'plain' } | { kind: 'json' | 'enum'; schema: JsonObject | undefined };
  /** The function that the answer is to call instead of saying something. */
  calls: FunctionDeclaration | undefined;
  /** The results of the functions called before. */
  functionResults: JsonObject[];
  thinking: Thinking;
  seed: number;
}

const MAX_INPUT_TOKENS = 1_048_576;
const MAX_OUTPUT_TOKENS = 65_536;
const MAX_CANDIDATES = 8;
const MAX_STOP_SEQUENCES = 5;

/** Throws the vendor's refusal of what the models of text do not take. */
export function checkTextOrder(request: GenerateContentRequest, model: string): TextOrder {
  const config = request.generationConfig ?? {};
  refuseOtherModalities(config, model);
  if (goesByLevels(model)) checkThirdGeneration(request);
  inRange('candidate_count', config.candidateCount, [1, MAX_CANDIDATES]);
  inRange('max_output_tokens', config.maxOutputTokens, [1, MAX_OUTPUT_TOKENS]);
  inRange('stop_sequences', config.stopSequences?.length, [0, MAX_STOP_SEQUENCES]);
  for (const turn of request.contents) turn.parts.forEach(checkData);
  const promptTokens = promptTokensOf(request);
  if (promptTokens.total > MAX_INPUT_TOKENS) {
    throw invalidArgument(
      `The input token count (${promptTokens.total}) exceeds the maximum number of tokens allowed (${MAX_INPUT_TOKENS}).`,
    );
  }
  const lastTurn = request.contents.at(-1)?.parts ?? [];
  const prompt = textsOf(lastTurn);
  const functionResults = lastTurn.flatMap(({ functionResponse }) => (functionResponse ? [functionResponse] : []));
  return {
    model,
    instruction: textsOf(request.systemInstruction?.parts ?? []),
    prompt,
    promptTokens,
    candidates: config.candidateCount ?? 1,
    maxOutputTokens: config.maxOutputTokens ?? MAX_OUTPUT_TOKENS,
    stopSequences: (config.stopSequences ?? []).filter((stop) => stop !== ''),
    format: formatOf(config, request),
    calls: calledFunction(request, prompt, functionResults.length > 0),
    functionResults,
    thinking: thinkingOf(config, model),
    seed: config.seed ?? 0,
  };
}

/** Throws the refusal of what the models of the third generation take no more. */
function checkThirdGeneration({
  contents,
  generationConfig: { candidateCount = 1 } = {},
}: GenerateContentRequest): void {
  if (candidateCount > 1) throw invalidArgument('Multiple candidates is not enabled for this model');
  if (contents.at(-1)?.role === 'model') throw invalidArgument('Requests ending with a model turn are not supported.');
  checkSignatures(contents);
}

function refuseOtherModalities({ responseModalities = ['TEXT'] }: GenerationConfig, model: string): void {
  if (responseModalities.every((modality) => modality === 'TEXT')) return;
  throw invalidArgument(
    `The requested combination of response modalities (${responseModalities.join(', ')}) is not supported by the model. models/${model} accepts the following combinations of response modalities:\n* TEXT\n`,
  );
}

function inRange(field: string, value: number | undefined, [least, most]: [number, number]): void {
  if (value === undefined || (value >= least && value <= most)) return;
  const message = `Unable to submit request because it has a ${field} value of ${value} but the supported range is from ${least} to ${most}.`;
  throw invalidArgument(message, `generation_config.${field}`);
}

function checkData({ inlineData }: Part): void {
  if (!inlineData || isBase64(inlineData.data)) return;
  throw invalidArgument('Base64 decoding failed', 'contents.parts.inline_data.data');
}

function textsOf(parts: Part[]): string {
  const texts = parts.flatMap(({ text }) => (text === undefined ? [] : [linesWithoutDirectives(text)]));
  return texts.filter((text) => text !== '').join('\n');
}

function formatOf(config: GenerationConfig, { tools }: GenerateContentRequest): TextOrder['format'] {
  const { responseMimeType: type = 'text/plain', responseSchema, responseJsonSchema } = config;
  const schema = responseSchema ?? responseJsonSchema;
  if (type === 'text/plain') return { kind: 'plain' };
  if (type !== 'application/json' && type !== 'text/x.enum') {
    const message = `* GenerateContentRequest.generation_config.response_mime_type: allowed mimetypes are \`text/plain\`, \`application/json\`, \`application/xml\`, \`application/yaml\` and \`text/x.enum\`.\n`;
    throw invalidArgument(message);
  }
  if (tools?.some(({ functionDeclarations }) => functionDeclarations)) {
    throw invalidArgument(`Function calling with a response mime type: '${type}' is unsupported`);
  }
  return { kind: type === 'application/json' ? 'json' : 'enum', schema };
}

/** One of those that may be called, when one must be, or when the prompt asks for it. */
function calledFunction(
  { tools = [], toolConfig }: GenerateContentRequest,
  prompt: string,
  isAnswered: boolean,
): FunctionDeclaration | undefined {
  const declared = tools.flatMap(({ functionDeclarations }) => functionDeclarations ?? []);
  const { mode = 'AUTO', allowedFunctionNames: allowed } = toolConfig?.functionCallingConfig ?? {};
  const callable = declared.filter(({ name }) => allowed === undefined || allowed.includes(name));
  if (mode === 'NONE' || isAnswered || callable.length === 0) return undefined;
  const named = callable.find(({ name }) => prompt.includes(name));
  const isWanted = mode === 'ANY' || /\b(call|use|invoke)\b.{1,80}\b(function|tool)\b/i.test(prompt);
  return named ?? (isWanted ? callable[0] : undefined);
}
