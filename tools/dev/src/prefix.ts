const COLOURS = [36, 33, 35, 32, 34, 96, 93, 95, 92, 94];
const WIDTH = 19;

export type Print = (line: string) => void;

/** Gives each part its own colour, in the order in which they first speak. Without a terminal there is none. */
export function createPrefixes(write: (text: string) => void, inColour: boolean): (part: string) => Print {
  let next = 0;
  return (part) => {
    const colour = COLOURS[next % COLOURS.length];
    next += 1;
    const label = part.padEnd(WIDTH);
    const prefix = inColour ? `\u001b[${colour}m${label}|\u001b[0m` : `${label}|`;
    return (line) => write(`${prefix} ${line}\n`);
  };
}
