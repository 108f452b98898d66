// Prints the path of a Python that has the vendors' clients. Without a Python to make one of, it exits with 77.
import { join } from 'node:path';
import { bringPythonPackages } from '../../scripts/python-packages.mjs';

const NOT_RUN = 77;

const programs = bringPythonPackages('clients', 'e2e/clients/requirements.txt');
if (programs === undefined) process.exitCode = NOT_RUN;
else process.stdout.write(join(programs, 'python'));
