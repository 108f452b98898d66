/** The longest context of any model of the native text endpoint, in tokens. */
export const LONGEST_CONTEXT = 1_048_576;
/** Tokens of one candidate, thoughts included. */
export const LONGEST_CANDIDATE = 65_536;
export const MAX_CANDIDATES = 8;

/** Entries that each list of a text's body may have: as many as OpenAI and the models' vendor take, or more. Longer ones would only cost time to judge. */
export const TEXT_LISTS = {
  /** Turns of a conversation; messages of a chat completion. */
  turns: 2048,
  /** Parts of one turn. */
  parts: 4096,
  /** Content parts of one message of a chat completion. */
  contentParts: 2048,
  /** Tools; of a chat completion each is a function. */
  tools: 128,
  /** Functions that one tool declares, or that `toolConfig` allows. */
  functions: 512,
  /** Calls of functions in one message of a chat completion. */
  calls: 128,
  stopSequences: 5,
  safetySettings: 32,
  modalities: 8,
} as const;
