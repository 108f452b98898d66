import type { JsonObject } from '@mediagate/contracts';

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

/** A field of the native body, or of the newer words of chat completions, as the body called it. */
export function chatField(name: string, chat: JsonObject): string {
  if (chat['functions'] !== undefined) {
    return name.replace(TOOL, 'functions$1').replace(/^tool_choice(?:\.function)?/, 'function_call');
  }
  if (name === 'generationConfig.maxOutputTokens') {
    return chat['max_completion_tokens'] === undefined ? 'max_tokens' : 'max_completion_tokens';
  }
  return CHAT_FIELDS[name] ?? name;
}
