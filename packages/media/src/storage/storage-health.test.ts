import type { ProbedPlace } from './probe-place';
import { type StandingFault, StorageHealth } from './storage-health';
import { StorageUnavailableError } from './storage-unavailable-error';

const FULL = Object.assign(new Error('no space left on device'), { code: 'ENOSPC' });
const MEGABYTE = 1024 * 1024;

beforeEach(() => jest.useFakeTimers({ doNotFake: ['nextTick', 'queueMicrotask'] }));
afterEach(() => jest.useRealTimers());

/** A place whose probes do what the test says; `looks` has the size of each. */
function openPlace(place: ProbedPlace['place'] = 'storage') {
  const looks: number[] = [];
  const state: { error: Error | undefined; hang: boolean } = { error: undefined, hang: false };
  const hanging: (() => void)[] = [];
  const probed: Pick<ProbedPlace, 'place' | 'probe'> = {
    place,
    async probe(bytes) {
      looks.push(bytes);
      if (state.hang) await new Promise<void>((resolve) => hanging.push(resolve));
      if (state.error) throw state.error;
    },
  };
  const release = () => {
    for (const resolve of hanging.splice(0)) resolve();
  };
  return { probed, looks, state, release };
}

function openHealth(...places: ReturnType<typeof openPlace>[]) {
  const changes: string[] = [];
  const errors: string[] = [];
  const reports: (readonly StandingFault[])[] = [];
  const health = new StorageHealth({
    places: places.map(({ probed }) => probed),
    onChange: (place, fault) => {
      changes.push(`${place} ${fault?.kind ?? 'works'}`);
      if (fault) errors.push((fault.error as Error).message);
    },
    onLook: (faults) => reports.push(faults),
  });
  return { health, changes, errors, reports };
}

const pass = (ms: number) => jest.advanceTimersByTimeAsync(ms);

describe('the health of a storage', () => {
  it('is known once it has started, and looked at every 30 s while it works', async () => {
    const place = openPlace();
    const { health, changes } = openHealth(place);
    await health.start();
    expect([place.looks.length, health.fault(), changes]).toEqual([1, undefined, []]);
    await pass(29_999);
    expect(place.looks).toHaveLength(1);
    await pass(1);
    expect(place.looks).toHaveLength(2);
    await pass(30_000);
    expect(place.looks).toHaveLength(3);
    health.close();
    await pass(120_000);
    expect(place.looks).toHaveLength(3);
  });

  it('is looked into when a file cannot be read, and goes on where what is kept can be read back', async () => {
    const place = openPlace();
    const { health, changes } = openHealth(place);
    await health.start();
    const locked = Object.assign(new Error('permission denied'), { code: 'EACCES' });
    const reading = health.look('storage', () => Promise.reject(locked));
    await expect(reading).rejects.toThrow(StorageUnavailableError);
    await pass(0);
    expect([place.looks.length, health.fault(), changes]).toEqual([2, undefined, []]);
    place.state.error = FULL;
    await expect(health.look('storage', () => Promise.reject(locked))).rejects.toThrow(StorageUnavailableError);
    await pass(0);
    expect(health.fault()).toMatchObject({ kind: 'full' });
    health.close();
  });

  it('is looked at every 5 s while it fails, from the start on, and every 30 s once it works again', async () => {
    const place = openPlace();
    place.state.error = FULL;
    const { health, changes, reports } = openHealth(place);
    await health.start();
    expect(() => health.require()).toThrow(StorageUnavailableError);
    await pass(10_000);
    expect(place.looks).toHaveLength(3);
    expect(health.fault()).toEqual({ place: 'storage', kind: 'full', forMs: 10_000 });
    expect(reports).toHaveLength(3);
    place.state.error = undefined;
    await pass(5000);
    expect([health.fault(), place.looks.length, reports.at(-1)]).toEqual([undefined, 4, []]);
    expect(() => health.require()).not.toThrow();
    await pass(29_999);
    expect(place.looks).toHaveLength(4);
    await pass(1);
    expect(place.looks).toHaveLength(5);
    expect(changes).toEqual(['storage full', 'storage works']);
    health.close();
  });

  it('says a change of the fault, and since when the place fails, not since when it fails so', async () => {
    const place = openPlace();
    place.state.error = FULL;
    const { health, changes } = openHealth(place);
    await health.start();
    place.state.error = Object.assign(new Error('read-only file system'), { code: 'EROFS' });
    await pass(5000);
    expect(health.fault()).toEqual({ place: 'storage', kind: 'read_only', forMs: 5000 });
    place.state.error = new Error('of which nothing is known');
    await pass(5000);
    expect(health.fault()).toMatchObject({ kind: 'broken', forMs: 10_000 });
    expect(changes).toEqual(['storage full', 'storage read_only', 'storage broken']);
    health.close();
  });

  it('is looked at at once after a write that failed, by as many bytes, up to 16 MiB', async () => {
    const place = openPlace();
    const { health } = openHealth(place);
    await health.start();
    place.state.error = FULL;
    const write = (bytes: number) => health.use('storage', () => Promise.reject(FULL), bytes);
    await expect(write(3 * MEGABYTE)).rejects.toBeInstanceOf(StorageUnavailableError);
    expect(place.looks).toEqual([1024, 3 * MEGABYTE]);
    await pass(0);
    await expect(write(64 * MEGABYTE)).rejects.toBeInstanceOf(StorageUnavailableError);
    expect(place.looks.at(-1)).toBe(16 * MEGABYTE);
    place.state.error = undefined;
    await pass(5000);
    expect(health.fault()).toBeUndefined();
    await pass(30_000);
    expect(place.looks.at(-1)).toBe(1024);
    health.close();
  });

  it('fails until a look has passed that began after the write failed', async () => {
    const place = openPlace();
    const { health, changes } = openHealth(place);
    await health.start();
    place.state.hang = true;
    await pass(30_000);
    expect(place.looks).toHaveLength(2);
    await expect(health.use('storage', () => Promise.reject(FULL), MEGABYTE)).rejects.toMatchObject({ kind: 'full' });
    place.state.hang = false;
    place.release();
    await pass(0);
    expect(health.fault()).toMatchObject({ kind: 'full' });
    await pass(5000);
    expect([place.looks.at(-1), health.fault()]).toEqual([MEGABYTE, undefined]);
    expect(changes).toEqual(['storage full', 'storage works']);
    health.close();
  });

  it('is not touched by an error that says nothing of the place', async () => {
    const place = openPlace();
    const { health } = openHealth(place);
    await health.start();
    const ended = new Error('the body ended too soon');
    await expect(health.use('storage', () => Promise.reject(ended))).rejects.toBe(ended);
    expect([health.fault(), place.looks.length]).toEqual([undefined, 1]);
    health.close();
  });

  it('is slow after 10 s without an answer, and no second look begins beside the first', async () => {
    const place = openPlace();
    place.state.hang = true;
    const { health, changes, errors } = openHealth(place);
    const started = health.start();
    await pass(9999);
    expect(health.fault()).toBeUndefined();
    await pass(1);
    await started;
    expect([health.fault(), errors]).toMatchObject([{ kind: 'slow' }, ['no other probe begins before this one ends']]);
    await pass(60_000);
    expect(place.looks).toHaveLength(1);
    place.state.hang = false;
    place.release();
    await pass(0);
    expect(health.fault()).toBeUndefined();
    expect(changes).toEqual(['storage slow', 'storage works']);
    health.close();
  });

  it('is that of each place by itself', async () => {
    const [storage, work] = [openPlace(), openPlace('work')];
    work.state.error = FULL;
    const { health } = openHealth(storage, work);
    await health.start();
    expect(health.places()).toEqual(['storage', 'work']);
    expect(health.faults()).toMatchObject([{ place: 'work', kind: 'full' }]);
    await expect(health.use('storage', () => Promise.resolve('stored'))).resolves.toBe('stored');
    health.close();
  });
});
