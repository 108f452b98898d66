// Peers that a library can do without, and that this repository has for development alone: as peers they would be in the image.
const LEFT_OUT = { '@prisma/client': ['prisma', 'typescript'], valibot: ['typescript'] };

function readPackage(manifest) {
  for (const peer of LEFT_OUT[manifest.name] ?? []) {
    delete manifest.peerDependencies?.[peer];
    delete manifest.peerDependenciesMeta?.[peer];
  }
  return manifest;
}

module.exports = { hooks: { readPackage } };
