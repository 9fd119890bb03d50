/** Imports an ES module. In a compiled source, `import()` becomes `require()`, which cannot load every ES module. */
module.exports = (path) => import(path)
