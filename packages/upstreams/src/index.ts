export * from './adapters';
export * from './contract';
export { createHttpClient, type HttpClient, type HttpClientOptions } from './http-client';
export { createModerator, type ModerationInput, type Moderator, type Verdict } from './openai-moderations/moderator';
