import { linesWithoutDirectives } from '../../faults/directive';
import type { TextOrder } from '../../gemini/text/order';
import { tokensIn } from '../../gemini/text/tokens';
import { isJsonObject, parseJson } from '../../vendor-call/request-body';
import type { ChatBody, ChatMessage, ChatTool } from './request';

const MAX_OUTPUT_TOKENS = 32_768;
/** Tokens of any image or sound. */
const FILE_TOKENS = 85;
/** The thinking tokens of a model whose request does not limit them. */
const THOUGHT_TOKENS = 64;

/** Orders the text of a completion from the writer of texts. */
export function toOrder(body: ChatBody & { thinks: boolean }): TextOrder {
  const { messages, model, seed } = body;
  const last = lastTurn(messages);
  const prompt = last
    .map(textOf)
    .filter((text) => text !== '')
    .join('\n');
  const results = last.filter(({ role }) => role === 'tool').map((message) => ({ response: resultOf(message) }));
  return {
    model,
    instruction: messages.filter(isInstruction).map(textOf).join('\n'),
    prompt,
    promptTokens: { total: promptTokens(messages), details: [] },
    candidates: body.n ?? 1,
    maxOutputTokens: body.max_completion_tokens ?? body.max_tokens ?? MAX_OUTPUT_TOKENS,
    stopSequences: [body.stop ?? []].flat(),
    format: formatOf(body),
    calls: calledFunction(body, prompt, results.length > 0),
    functionResults: results,
    thinking: { maxTokens: body.thinks && body.reasoning_effort !== 'none' ? THOUGHT_TOKENS : 0, shown: false },
    seed: seed ?? 0,
  };
}

/** The messages after the model's last one. */
function lastTurn(messages: ChatMessage[]): ChatMessage[] {
  const spoken = messages.findLastIndex(({ role }) => role === 'assistant');
  return messages.slice(spoken + 1).filter((message) => !isInstruction(message));
}

function isInstruction({ role }: ChatMessage): boolean {
  return role === 'system' || role === 'developer';
}

function textOf({ content }: ChatMessage): string {
  if (typeof content === 'string') return linesWithoutDirectives(content);
  const texts = (content ?? []).flatMap(({ text }) => (text === undefined ? [] : [linesWithoutDirectives(text)]));
  return texts.join('\n');
}

function resultOf(message: ChatMessage): unknown {
  const value = parseJson(Buffer.from(textOf(message)));
  return isJsonObject(value) ? value : textOf(message);
}

function promptTokens(messages: ChatMessage[]): number {
  const files = messages
    .flatMap(({ content }) => (Array.isArray(content) ? content : []))
    .filter(({ type }) => {
      return type === 'image_url' || type === 'input_audio';
    });
  return tokensIn(messages.map(textOf).join('\n')) + files.length * FILE_TOKENS;
}

function formatOf({ response_format: format }: ChatBody): TextOrder['format'] {
  if (format === undefined || format.type === 'text') return { kind: 'plain' };
  return { kind: 'json', schema: format.json_schema?.schema };
}

/** One of those that may be called, when one must be, or when the prompt asks for it. */
function calledFunction(body: ChatBody, prompt: string, isAnswered: boolean): TextOrder['calls'] {
  const { tools = [], tool_choice: choice = 'auto' } = body;
  if (choice === 'none' || isAnswered) return undefined;
  if (typeof choice !== 'string')
    return declarationOf(tools.find((tool) => tool.function.name === choice.function.name));
  const named = tools.find((tool) => prompt.includes(tool.function.name));
  const isWanted = choice === 'required' || /\b(call|use|invoke)\b.{1,80}\b(function|tool)\b/i.test(prompt);
  return declarationOf(named ?? (isWanted ? tools[0] : undefined));
}

function declarationOf(tool: ChatTool | undefined): TextOrder['calls'] {
  return tool && { name: tool.function.name, parametersJsonSchema: tool.function.parameters ?? {} };
}
