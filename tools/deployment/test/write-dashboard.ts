// Brings deploy/helm/mediagate/files/dashboard.json up to date with dashboard.ts.
import { writeFileSync } from 'node:fs';
import { join } from 'node:path';
import { ROOT } from './checkout';
import { DASHBOARD_FILE, dashboardText } from './dashboard';

writeFileSync(join(ROOT, DASHBOARD_FILE), dashboardText());
