// What other folders know of content: the blocks and their versions.
export { findBlockNames, findVersionLabels } from './records.ts'
export { blockJson, createBlock, getBlock, listBlocks } from './blocks.ts'
export type { Block } from './content-model.ts'
export { createVersion } from './versions.ts'
