export * from './adapters';
export * from './contract';
export { createHttpClient, type HttpClient, type HttpClientOptions } from './http-client';
