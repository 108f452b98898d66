import { Registry } from 'prom-client';
import { watchStorage } from '../src';

it('the gauges say of each place whether it works, and why not for as long as it does not', async () => {
  const register = new Registry();
  let faults: { place: string; kind: string }[] = [];
  watchStorage(register, { places: () => ['storage', 'work'], faults: () => faults });
  const lines = async () => (await register.metrics()).split('\n').filter((line) => line.startsWith('mediagate_'));
  const works = ['mediagate_storage_works{place="storage"} 1', 'mediagate_storage_works{place="work"} 1'];
  expect(await lines()).toEqual(works);
  faults = [{ place: 'storage', kind: 'full' }];
  const failing = ['mediagate_storage_works{place="storage"} 0', works[1]];
  expect(await lines()).toEqual([...failing, 'mediagate_storage_fault{place="storage",fault="full"} 1']);
  faults = [{ place: 'storage', kind: 'denied' }];
  expect(await lines()).toEqual([...failing, 'mediagate_storage_fault{place="storage",fault="denied"} 1']);
  faults = [];
  expect(await lines()).toEqual(works);
});
