import { existsSync } from 'node:fs';
import { openPlaces, probeFaultOf, STORAGE_FAULTS, workFolderOf } from '@mediagate/media';
import { type Check, type Finding, NotLookedAt } from './check';
import { bytesText, type Examined } from './examined';

type Place = Awaited<ReturnType<typeof openPlaces>>[number];

const PROBE_BYTES = 1024;
const RUNBOOK = 'storage-full.md';

/** The places that services write to, tried out as they try them. */
export function storageChecks(examined: Examined): Check[] {
  return [
    { name: 'storage', look: async () => lookAt(await placeOf(examined, 'storage')), unreachable: UNREACHABLE },
    { name: 'work folder', look: async () => lookAt(await placeOf(examined, 'work')), unreachable: UNREACHABLE },
  ];
}

const UNREACHABLE = { action: 'Make it writable again: free space, or restore access to it.', runbook: RUNBOOK };
const ELSEWHERE = 'run this command where a service runs, with its variables';

/** A folder that is not here is that of another machine: to make it would prove nothing. */
async function placeOf({ session, config, opened }: Examined, wanted: Place['place']): Promise<Place> {
  const { storage } = opened().settings;
  const home = session.deployment.home();
  const isHere = wanted === 'storage' ? storage.driver === 's3' || existsSync(home) : existsSync(workFolderOf(config));
  if (!isHere) throw new NotLookedAt(`its folder is not on this machine: ${ELSEWHERE}`);
  const places = await openPlaces(storage, { ...config, MEDIAGATE_HOME: home });
  const place = places.find((each) => each.place === wanted);
  if (place === undefined) throw new Error(`there is no place ${wanted}`);
  return place;
}

async function lookAt(place: Place): Promise<Finding[]> {
  const freeBytes = await place.freeBytes();
  const left = freeBytes === undefined ? '' : `, ${bytesText(freeBytes)} are free`;
  try {
    await place.probe(PROBE_BYTES);
  } catch (error) {
    return [{ state: 'fault', found: `${STORAGE_FAULTS[probeFaultOf(error, place.place)]}${left}`, ...UNREACHABLE }];
  }
  const found = `an object was written, read back and removed${left}`;
  if (freeBytes === undefined || freeBytes >= 2 * place.minFreeBytes) return [{ state: 'ok', found }];
  const limit = `below ${bytesText(place.minFreeBytes)} no new work is begun`;
  return [
    { state: 'warning', found: `${found}; ${limit}`, action: 'Free space, or enlarge the disk.', runbook: RUNBOOK },
  ];
}
