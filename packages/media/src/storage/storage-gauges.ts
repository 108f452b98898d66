import { Gauge, type Registry } from 'prom-client';

/** The media store's knowledge of the places that its process writes to. */
interface StorageFaults {
  places(): readonly string[];
  faults(): readonly { place: string; kind: string }[];
}

/** Whether this process can keep results, as it stands when it is scraped. */
export function watchStorage(register: Registry, health: StorageFaults): void {
  const registers = [register];
  new Gauge({
    name: 'mediagate_storage_works',
    help: "1 while the process can write to the place, else 0. `storage` is where results go, `work` is the process's folder for files in progress.",
    labelNames: ['place'],
    registers,
    collect() {
      const failing = new Set(health.faults().map(({ place }) => place));
      for (const place of health.places()) this.set({ place }, failing.has(place) ? 0 : 1);
    },
  });
  new Gauge({
    name: 'mediagate_storage_fault',
    help: '1 for the fault because of which the process cannot write to the place.',
    labelNames: ['place', 'fault'],
    registers,
    collect() {
      this.reset();
      for (const { place, kind } of health.faults()) this.set({ place, fault: kind }, 1);
    },
  });
}
