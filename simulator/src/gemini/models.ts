import type { Call, JsonObject, Question, Reply } from '../vendor-call/contract';
import { Refusal } from '../vendor-call/contract';
import { geminiError } from './wire';

export type Method = 'generateContent' | 'streamGenerateContent' | 'countTokens';

interface Model {
  displayName: string;
  inputTokenLimit: number;
  outputTokenLimit: number;
  methods: Method[];
}

const textMethods: Method[] = ['generateContent', 'streamGenerateContent', 'countTokens'];
const textLimits = { inputTokenLimit: 1_048_576, outputTokenLimit: 65_536, methods: textMethods };

const models = new Map<string, Model>([
  ['gemini-2.5-flash', { displayName: 'Gemini 2.5 Flash', ...textLimits }],
  ['gemini-2.5-pro', { displayName: 'Gemini 2.5 Pro', ...textLimits }],
  [
    'gemini-2.5-flash-image',
    {
      displayName: 'Gemini 2.5 Flash Image',
      inputTokenLimit: 32_768,
      outputTokenLimit: 32_768,
      methods: ['generateContent', 'countTokens'],
    },
  ],
]);

export function supports(model: string, method: Method): boolean {
  return models.get(model)?.methods.includes(method) ?? false;
}

/** `GET /v1beta/models`, and `GET /v1beta/models/{model}`. */
export const modelQuestion: Question<string | undefined> = {
  operation: 'question',
  find: (request) => request.params['model']?.toString(),
  about: (model) => ({ model: model ?? '', prompt: '' }),
  answer: (name, call) => (name === undefined ? listed() : described(name, call)),
};

function listed(): Reply {
  return { status: 200, body: { models: [...models].map(([name, model]) => description(name, model)) } };
}

function described(name: string, { request }: Call): Reply {
  const model = models.get(name);
  if (model) return { status: 200, body: description(name, model) };
  const message = `models/${name.slice(0, 100)} is not found for API version ${request.path.split('/')[1]}.`;
  throw new Refusal(geminiError('NOT_FOUND', message));
}

function description(name: string, { methods, ...facts }: Model): JsonObject {
  return { name: `models/${name}`, version: '001', ...facts, supportedGenerationMethods: methods };
}
