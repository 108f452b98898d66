import { STORAGE_FAULTS, type StorageFaultKind, type StoragePlace } from './storage-fault';

/** The service's own storage, or its work folder, takes nothing now. It says nothing of what was to be written. */
export class StorageUnavailableError extends Error {
  readonly place: StoragePlace;
  readonly kind: StorageFaultKind;

  constructor(place: StoragePlace, kind: StorageFaultKind, options?: { cause: unknown }) {
    super(`the ${PLACES[place]} cannot be used: ${STORAGE_FAULTS[kind]}`, options);
    this.name = 'StorageUnavailableError';
    this.place = place;
    this.kind = kind;
  }
}

const PLACES: Readonly<Record<StoragePlace, string>> = { storage: 'storage', work: 'work folder' };
