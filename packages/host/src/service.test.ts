import { Writable } from 'node:stream';
import { Counter, Histogram } from 'prom-client';
import { createLogger } from './log/logger';
import { ProcessScope } from './process-scope';
import { type Service, together } from './service';

const lines: { service: string; message: string }[] = [];
const output = new Writable({
  write(line, _encoding, done) {
    lines.push(JSON.parse(String(line)));
    done();
  },
});

function service(name: string, done: string[]): Service {
  return {
    name,
    async main(scope) {
      scope.logger.info('process.serving');
      const registers = [scope.metrics];
      new Counter({ name: 'tasks_total', help: 'Tasks', labelNames: ['state'], registers }).inc({ state: 'ended' });
      new Histogram({ name: 'seconds', help: 'Seconds', buckets: [1], registers }).observe(2);
      scope.addReadinessCheck('database', async () => done.push(`${name} checked`) as never);
      scope.onDrain('work', () => void done.push(`${name} drained`));
      scope.defer('database', () => void done.push(`${name} closed`));
      scope.onReload('settings', () => void done.push(`${name} reloaded`));
      scope.onStrayError((error) => error === name);
    },
  };
}

async function open(...names: string[]) {
  const done: string[] = [];
  const scope = new ProcessScope(createLogger({ service: 'serve', level: 'info', format: 'json', output }));
  scope.defer('of the process', () => void done.push('the process closed'));
  await together(
    'serve',
    names.map((name) => service(name, done)),
  ).main(scope);
  return { scope, done };
}

describe('services that run in one process', () => {
  it('are read again, drained and closed with it, before what it has itself', async () => {
    const { scope, done } = await open('image', 'video');
    scope.reload();
    await scope.drain();
    await scope.close();
    expect(done).toEqual([
      'image reloaded',
      'video reloaded',
      'image drained',
      'video drained',
      'image closed',
      'video closed',
      'the process closed',
    ]);
  });

  it('are ready once what each of them depends on answers', async () => {
    const { scope, done } = await open('image', 'video');
    expect([...scope.checks.keys()]).toEqual(['image database', 'video database']);
    for (const check of scope.checks.values()) await check();
    expect(done).toEqual(['image checked', 'video checked']);
  });

  it('are not ready, and not alive, while the work of any has stopped, by its name', async () => {
    const { scope } = await open('image', 'video');
    for (const name of ['image', 'video']) scope.part(name).addLivenessCheck('tasks', () => name === 'video');
    const alive = [...scope.livenessChecks].map(([name, isAlive]) => [name, isAlive()]);
    expect(alive).toEqual([
      ['image tasks', false],
      ['video tasks', true],
    ]);
    await expect(scope.checks.get('image tasks')?.()).rejects.toThrow('stopped');
    await scope.checks.get('video tasks')?.();
  });

  it('show the metrics of each under its name, however many have the same', async () => {
    const { scope } = await open('image', 'video');
    new Counter({ name: 'of_the_process_total', help: 'One', registers: [scope.metrics] }).inc();
    const shown = await scope.readMetrics();
    for (const name of ['image', 'video']) {
      expect(shown).toContain(`tasks_total{state="ended",service="${name}"} 1\n`);
      expect(shown).toContain(`seconds_bucket{le="+Inf",service="${name}"} 1\n`);
      expect(shown).toContain(`seconds_sum{service="${name}"} 2\n`);
    }
    expect(shown).toContain('of_the_process_total 1\n');
    expect(shown.match(/# TYPE tasks_total/g)).toHaveLength(1);
  });

  it('share what the process has one of', async () => {
    const { scope } = await open();
    const [image, video] = [scope.part('image'), scope.part('video')];
    class Gate {}
    expect(image.one(Gate)).toBe(video.one(Gate));
    expect(scope.one(Gate)).toBe(video.one(Gate));
    expect((await open()).scope.one(Gate)).not.toBe(scope.one(Gate));
  });

  it('own their errors: what any of them claims leaves the process running, and nothing else does', async () => {
    const { scope } = await open('image', 'video');
    expect([scope.claims('video'), scope.claims('nobody')]).toEqual([true, false]);
  });

  it('write lines that name them', async () => {
    lines.length = 0;
    const { scope } = await open('image');
    scope.logger.info('process.started');
    expect(lines).toMatchObject([
      { service: 'image', message: 'process.serving' },
      { service: 'serve', message: 'process.started' },
    ]);
  });

  it('have as long to drain as the slowest of them', () => {
    const [quick, slow] = [service('image', []), { ...service('video', []), drainSeconds: 630 }];
    expect([together('serve', [quick]), together('serve', [quick, slow])]).toMatchObject([
      { drainSeconds: 25 },
      { drainSeconds: 630 },
    ]);
  });
});
