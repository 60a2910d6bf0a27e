// Checks a history of registers, one JSON object a line on standard input, for linearizability.
package main

import (
	"bufio"
	"encoding/json"
	"fmt"
	"os"
	"time"

	"github.com/anishathalye/porcupine"
)

// operation is one request: the instants (microseconds) at which it was first sent and at which its answer had come.
type operation struct {
	Client int    `json:"client"`
	Unit   string `json:"unit"`
	Write  bool   `json:"write"`
	Value  int    `json:"value"`
	Call   int64  `json:"call"`
	Return int64  `json:"return"`
}

// register is a unit's balance, zero at first: a write sets it, a read tells it.
var register = porcupine.Model{
	Partition: func(history []porcupine.Operation) [][]porcupine.Operation {
		units := map[string][]porcupine.Operation{}
		for _, one := range history {
			unit := one.Input.(operation).Unit
			units[unit] = append(units[unit], one)
		}
		partitions := [][]porcupine.Operation{}
		for _, one := range units {
			partitions = append(partitions, one)
		}
		return partitions
	},
	Init: func() interface{} { return 0 },
	Step: func(state, input, output interface{}) (bool, interface{}) {
		if input.(operation).Write {
			return true, input.(operation).Value
		}
		return output.(int) == state.(int), state
	},
}

func read() ([]porcupine.Operation, error) {
	history := []porcupine.Operation{}
	lines := bufio.NewScanner(os.Stdin)
	for lines.Scan() {
		var one operation
		if err := json.Unmarshal(lines.Bytes(), &one); err != nil {
			return nil, err
		}
		history = append(history, porcupine.Operation{
			ClientId: one.Client, Input: one, Call: one.Call, Output: one.Value, Return: one.Return,
		})
	}
	return history, lines.Err()
}

func main() {
	history, err := read()
	if err != nil {
		fmt.Fprintln(os.Stderr, err)
		os.Exit(2)
	}
	result := porcupine.CheckOperationsTimeout(register, history, 2*time.Minute)
	fmt.Printf("%s: %d operations\n", map[porcupine.CheckResult]string{
		porcupine.Ok: "linearizable", porcupine.Illegal: "not linearizable", porcupine.Unknown: "not decided in time",
	}[result], len(history))
	if result != porcupine.Ok {
		os.Exit(1)
	}
}
