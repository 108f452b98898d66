import { TEMPO_RATE, tempoOf } from './tempo';

/** Clicks over a hum, so many a minute, every fourth of them louder. */
function clicks(bpm: number, seconds = 20): Float32Array {
  const beat = (60 * TEMPO_RATE) / bpm;
  return Float32Array.from({ length: seconds * TEMPO_RATE }, (_, index) => {
    const into = index % beat;
    const accent = Math.floor(index / beat) % 4 === 0 ? 0.8 : 0.5;
    const click = into < 400 ? accent * Math.exp(-into / 120) * Math.sin(into * 0.9) : 0;
    return click + 0.05 * Math.sin(index / 40);
  });
}

it.each([70, 84.5, 96, 120, 133.3, 150])('a beat of %d a minute is heard', (bpm) => {
  expect(Math.abs((tempoOf(clicks(bpm)) ?? 0) - bpm)).toBeLessThan(0.5);
});

it('silence has no tempo', () => {
  expect(tempoOf(new Float32Array(TEMPO_RATE * 5))).toBeUndefined();
  expect(tempoOf(new Float32Array(0))).toBeUndefined();
});
