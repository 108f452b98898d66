export * from './adapters';
export type { AnnouncedEnd, HeedEnd } from './announced-end';
export { BrokenAnswerError } from './answer-body';
export { type AnswerLog, answerExcerpt, logAnswers } from './answer-log';
export * from './contract';
export { createEventSplitter, MalformedAnswerError } from './event-splitter';
export type { StreamAnswer, StreamReply } from './exchange';
export { createGeminiText } from './gemini/text';
export { createHttpClient, type HttpClient, type HttpClientOptions, type StreamRequest } from './http-client';
export { type LoadedProtocol, loadProtocol, PROTOCOL_WORD } from './load-protocol';
export { createOpenAiChatText } from './openai-chat/text';
export {
  default as createModerator,
  type ModerationInput,
  type Moderator,
  type Verdict,
} from './openai-moderations/adapter';
export { parseAnswer } from './parse-answer';
export type { Clients } from './protocol';
export { ownProtocols, type Protocols } from './registry';
export type { LookupFor } from './stream-connection';
export type { TemplatedModel } from './templates/template-fit';
export { callersWordsOf } from './templates/templated-job';
export { lackOfImages } from './text-request';
export {
  streamedText,
  TEXT_METHODS,
  type TextAnswer,
  type TextCall,
  type TextMethod,
  type TextUpstream,
} from './text-upstream';
export { chatSignature, chatSignatureOf, signatureOf } from './thought-signatures';
