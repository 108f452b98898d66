import { isJsonObject, type JsonObject } from '@mediagate/contracts';

/** Fields of the native body by the names that chat completions have for them. */
const CHAT_FIELDS: Readonly<Record<string, string>> = {
  contents: 'messages',
  'generationConfig.temperature': 'temperature',
  'generationConfig.topP': 'top_p',
  'generationConfig.topK': 'top_k',
  'generationConfig.seed': 'seed',
  'generationConfig.presencePenalty': 'presence_penalty',
  'generationConfig.frequencyPenalty': 'frequency_penalty',
  'generationConfig.stopSequences': 'stop',
  'generationConfig.responseJsonSchema': 'response_format',
};

const TOOL = /^tools(\[\d+\])(?:\.function)?/;

const CALL = /^messages\[(\d+)\]\.tool_calls\[0\](?:\.function)?/;

/** A field of the native body, or of the newer words of chat completions, as the body called it. */
export function chatField(name: string, chat: JsonObject): string {
  if (chat['functions'] !== undefined) {
    const older = name.replace(TOOL, 'functions$1').replace(/^tool_choice(?:\.function)?/, 'function_call');
    if (older !== name) return older;
  }
  const [call, index] = CALL.exec(name) ?? [];
  if (call !== undefined && isOlderCall(chat, Number(index)))
    return name.replace(call, `messages[${index}].function_call`);
  if (name === 'generationConfig.maxOutputTokens') {
    return chat['max_completion_tokens'] === undefined ? 'max_tokens' : 'max_completion_tokens';
  }
  return CHAT_FIELDS[name] ?? name;
}

/** Whether the message calls a function in the words that were there before tools. */
function isOlderCall({ messages }: JsonObject, index: number): boolean {
  const message = Array.isArray(messages) ? messages[index] : undefined;
  return isJsonObject(message) && isJsonObject(message['function_call']) && message['tool_calls'] === undefined;
}
