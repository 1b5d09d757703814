import { reportEstimator } from './estimator/report.ts'
import { reportFamilies } from './families.ts'
import { runFuzz } from './fuzz.ts'
import { reportLoad } from './load.ts'
import { reportMask } from './mask.ts'
import { reportRecall } from './recall.ts'
import { reportMemory, reportSpeed } from './speed.ts'

const [only, seconds = '60'] = process.argv.slice(2)
if (only === undefined || only === 'families' || only === 'cases') reportFamilies(only === 'cases')
if (only === undefined || only === 'estimator') reportEstimator()
if (only === undefined || only === 'speed') reportSpeed()
if (only === undefined || only === 'mask') await reportMask()
if (only === undefined || only === 'memory') reportMemory()
if (only === 'fuzz') runFuzz(Number(process.argv[3] ?? 1), Number(process.argv[4] ?? Date.now() % 1_000_000))
// By name alone: it takes a minute, and a gigabyte of the temporary folder.
if (only === 'load' && !(await reportLoad(Number(seconds)))) process.exitCode = 1
if (only === undefined || only === 'recall') await reportRecall()
