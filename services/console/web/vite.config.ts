import react from '@vitejs/plugin-react';
import { defineConfig } from 'vite';
import { compressOutputs } from './build/compress-outputs.ts';
import { themeVariables } from './build/theme-variables.ts';

/** Where `npm run dev` finds a console that runs: it serves the API, the page comes from here. */
const CONSOLE = process.env['CONSOLE_URL'] ?? 'http://127.0.0.1:8081';
const SERVED_BY_CONSOLE = ['/api', '/session', '/users', '/invitations', '/queues'];

export default defineConfig({
  root: import.meta.dirname,
  plugins: [react(), themeVariables(), compressOutputs()],
  build: {
    outDir: 'dist',
    assetsDir: 'static',
    target: 'es2023',
    // No file is written into another: the policy allows neither inline scripts nor styles.
    assetsInlineLimit: 0,
    modulePreload: { polyfill: false },
    reportCompressedSize: false,
  },
  server: {
    proxy: Object.fromEntries(SERVED_BY_CONSOLE.map((path) => [path, { target: CONSOLE, changeOrigin: true }])),
  },
});
