import type { Channel } from '@mediagate/settings';

/** A channel as the configuration file gives it where it names no more than it must. Its vendor does not exist. */
export function testChannel(id: string, more: Partial<Channel> = {}): Channel {
  return {
    id,
    protocol: 'p',
    baseUrl: 'https://vendor.example',
    apiKey: 'k',
    models: new Map([['a-model', 'its name there']]),
    priority: 1,
    weight: 1,
    isTest: false,
    maxConcurrency: undefined,
    options: {},
    ...more,
  };
}
