import { fieldsOf } from '../fields-of';
import { INSTRUCTION_ROLE, TURN_ROLE } from '../patterns';
import { MAX_CANDIDATES, TEXT_LISTS } from './limits';

/** Whatever else the vendor knows is passed on. */
const open = { type: 'object', additionalProperties: true } as const;
const string = { type: 'string' } as const;
const boolean = { type: 'boolean' } as const;
const number = { type: 'number' } as const;
const integer = { type: 'integer' } as const;

function strings<const Most extends number>(maxItems: Most) {
  return { type: 'array', maxItems, items: string } as const;
}

const file = { ...open, properties: { mimeType: string, data: string, fileUri: string, displayName: string } } as const;

const part = {
  ...open,
  description: '{text}, {inlineData}, …',
  properties: {
    // An empty text is one: answers that are sent back have it beside a signature.
    text: { type: 'string', minLength: 0 },
    inlineData: file,
    fileData: file,
    functionCall: { ...open, properties: { id: string, name: string, args: open } },
    functionResponse: { ...open, properties: { id: string, name: string, response: open } },
    executableCode: { ...open, properties: { language: string, code: string } },
    codeExecutionResult: { ...open, properties: { outcome: string, output: string } },
    videoMetadata: { ...open, properties: { startOffset: string, endOffset: string, fps: number } },
    thought: boolean,
    thoughtSignature: string,
  },
} as const;

/** No enum: the body is passed on as it came, so that letter case counts. */
function role<const Pattern extends string>(pattern: Pattern, description: string) {
  return { type: 'string', pattern, description } as const;
}

const content = {
  ...open,
  required: ['parts'],
  properties: {
    role: role(TURN_ROLE, 'user, model or function'),
    parts: { type: 'array', minItems: 1, maxItems: TEXT_LISTS.parts, items: part },
  },
} as const;

/** `parts` may be one object as well as a list: the vendor's own examples send a single part so. */
const instruction = {
  ...open,
  properties: {
    role: role(INSTRUCTION_ROLE, 'user, model or system'),
    parts: { ...part, type: ['array', 'object'], maxItems: TEXT_LISTS.parts, items: part },
  },
} as const;

const thinkingConfig = {
  ...open,
  properties: { includeThoughts: boolean, thinkingBudget: integer, thinkingLevel: string },
} as const;

function generationConfig<const Most extends number>(maxOutputTokens: Most, maxCandidates: number) {
  return {
    ...open,
    properties: {
      maxOutputTokens: { type: 'integer', minimum: 1, maximum: maxOutputTokens },
      candidateCount: { type: 'integer', minimum: 1, maximum: maxCandidates },
      temperature: number,
      topP: number,
      topK: number,
      seed: integer,
      presencePenalty: number,
      frequencyPenalty: number,
      stopSequences: strings(TEXT_LISTS.stopSequences),
      responseMimeType: string,
      responseSchema: open,
      responseJsonSchema: { description: 'Any JSON Schema.' },
      responseModalities: strings(TEXT_LISTS.modalities),
      responseLogprobs: boolean,
      logprobs: integer,
      enableEnhancedCivicAnswers: boolean,
      thinkingConfig,
      speechConfig: open,
      imageConfig: open,
      mediaResolution: string,
    },
  } as const;
}

const tool = {
  ...open,
  properties: {
    functionDeclarations: {
      type: 'array',
      maxItems: TEXT_LISTS.functions,
      items: { ...open, properties: { name: string, description: string, parameters: open } },
    },
    googleSearch: open,
    googleSearchRetrieval: open,
    googleMaps: open,
    codeExecution: open,
    urlContext: open,
    computerUse: open,
    fileSearch: open,
  },
} as const;

const functionCallingConfig = {
  ...open,
  properties: { mode: string, allowedFunctionNames: strings(TEXT_LISTS.functions) },
} as const;

/** The documented fields of `generateContent`. What of them has another type is refused; fields it does not name pass. */
export function textInput<const Most extends number>(maxOutputTokens: Most, maxCandidates: number = MAX_CANDIDATES) {
  return fieldsOf(['contents'], {
    contents: {
      type: 'array',
      minItems: 1,
      maxItems: TEXT_LISTS.turns,
      description: 'The conversation so far, oldest turn first.',
      items: content,
    },
    systemInstruction: instruction,
    generationConfig: generationConfig(maxOutputTokens, maxCandidates),
    tools: { type: 'array', maxItems: TEXT_LISTS.tools, items: tool },
    toolConfig: { ...open, properties: { functionCallingConfig, retrievalConfig: open } },
    safetySettings: {
      type: 'array',
      maxItems: TEXT_LISTS.safetySettings,
      items: { ...open, properties: { category: string, threshold: string } },
    },
    cachedContent: string,
  });
}
