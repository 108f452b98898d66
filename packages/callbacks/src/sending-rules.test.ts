import { createSendingRules, followSendingRules, type WebhookSettings } from './sending-rules';

const FILE: WebhookSettings = {
  retryDelaysSeconds: [],
  timeoutSeconds: 1,
  allowPorts: [80, 443],
  allowPrivateCidrs: [],
  allowOrigins: ['http://10.0.0.8:9000'],
};
const OPTIONS = { ownHosts: ['127.0.0.1'], maxConnections: 1 };

it('callbacks go to the origins of the environment as to those of the file, and to no other of this machine', () => {
  const { client, policy } = createSendingRules(FILE, { ...OPTIONS, allowOrigins: ['http://127.0.0.1:9000'] });
  for (const origin of ['http://127.0.0.1:9000', 'http://10.0.0.8:9000']) {
    expect(client.checkUrl(`${origin}/hooks`)).toBeUndefined();
    expect(policy.allowOrigins).toContain(origin);
  }
  expect(client.checkUrl('http://127.0.0.1:9001/hooks')?.reason).toBe('blocked_port');
  expect(client.checkUrl('http://127.0.0.1/hooks')?.reason).toBe('blocked_address');
});

it.each(['127.0.0.1:9000', 'laptop', ''])('an origin of the environment that is none stops the start: %s', (origin) => {
  expect(() => followSendingRules(() => FILE, { ...OPTIONS, allowOrigins: [origin] })).toThrow(TypeError);
});
