import { createArkImages } from './ark-images/adapter';
import type { Adapter } from './contract';
import { createGemini } from './gemini/adapter';
import type { HttpClient } from './http-client';
import { createOpenAiImages } from './openai-images/adapter';

/** Every protocol mediagate can speak, one line each. */
const ADAPTERS: readonly ((http: HttpClient) => Adapter)[] = [createOpenAiImages, createGemini, createArkImages];

/** The adapters by the `protocol` word of the channels file. They share the client, and so its connections. */
export function createAdapters(http: HttpClient): ReadonlyMap<string, Adapter> {
  return new Map(ADAPTERS.map((create) => create(http)).map((adapter) => [adapter.protocol, adapter]));
}
