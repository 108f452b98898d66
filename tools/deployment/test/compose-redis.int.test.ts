import { REQUIRED_VARIABLES, readComposeFile } from './compose-file';
import { startRedisWith } from './redis-with-settings';

it('Compose’s Redis serves nobody without its password, which no command line shows', async () => {
  const { services, configs } = readComposeFile(REQUIRED_VARIABLES);
  expect(JSON.stringify(services['redis']?.command)).not.toContain('the-redis_password');
  const redis = await startRedisWith(configs['redis']?.content ?? '');
  try {
    const asUser = (line: string) => redis.ask('AUTH mediagate the-redis_password', line);
    expect(await redis.ask('PING')).toContain('NOAUTH');
    expect(await asUser('PING')).toContain('+PONG');
    expect(await asUser('CONFIG GET dir')).toContain('NOPERM');
    expect(await asUser('INFO memory')).toContain('maxmemory_policy:noeviction');
    expect(new URL(String(services['api']?.environment?.['REDIS_URL'])).password).toBe('the-redis_password');
  } finally {
    await redis.stop();
  }
});
