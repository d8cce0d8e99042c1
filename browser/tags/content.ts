// <script defer src="…/content.js" data-key="…">: starts with its attributes.
import { content } from '../content.ts'
import { scriptOptions } from '../shared/script.ts'

const options = scriptOptions()
if (options) content.start(options)
