// Prints each count of the code beside its ceiling, by `npm run bounds`.
import { codeFiles, countBounds, measureFunctions } from './bounds';
import { CEILINGS } from './ceilings';

const files = codeFiles();
for (const [name, count] of Object.entries(countBounds(files, measureFunctions(files)))) {
  const [shown, ceiling] = [count, CEILINGS[name] ?? 0].map((figure) => figure.toLocaleString('en').padStart(9));
  process.stdout.write(`${name.padEnd(34)}${shown}  of ${ceiling}\n`);
}
