import type { Colour, Screen } from './screen';

const COLOURS: Colour[] = ['cyan', 'yellow', 'green', 'dim', 'bold'];
const WIDTH = 19;

export type Print = (line: string) => void;

/** Gives each part its own colour, in the order in which they first speak. */
export function createPrefixes(print: Print, screen: Pick<Screen, 'paint'>): (part: string) => Print {
  let next = 0;
  return (part) => {
    const colour = COLOURS[next % COLOURS.length] ?? 'dim';
    next += 1;
    const prefix = screen.paint(colour, `${part.padEnd(WIDTH)}|`);
    return (line) => print(`${prefix} ${line}`);
  };
}
