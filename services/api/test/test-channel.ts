import type { Channel } from '@mediagate/settings';

/** A channel as the configuration file gives it where it names no more than it must. It has no models, and its vendor does not exist. */
export function testChannel(id: string, more: Partial<Channel> = {}): Channel {
  return {
    id,
    protocol: 'gemini',
    baseUrl: 'http://vendor.example',
    apiKey: 'key',
    models: new Map(),
    priority: 1,
    weight: 1,
    isTest: false,
    maxConcurrency: undefined,
    options: {},
    ...more,
  };
}
