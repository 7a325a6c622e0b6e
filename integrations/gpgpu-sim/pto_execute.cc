/* SPDX-License-Identifier: MIT */
/* Executes the text of an instruction as a program of libpto with one lane. See pto_execute.h. */
#include "pto_execute.h"

#include <pto/program.h>

#include <cstdint>
#include <cstdlib>
#include <cstring>
#include <set>
#include <string>
#include <unordered_map>
#include <vector>

#include "ptx_ir.h"
#include "ptx_sim.h"

/* ptx.tab.h needs these two. */
class ptx_recognizer;
typedef void *yyscan_t;
#include "ptx.tab.h"

namespace {

/* A register of an instruction, and its value in the lane. */
struct Operand {
    const symbol *name;
    bool predicate;
    std::uint64_t value;
};

/* An instruction that is prepared once and run in every thread that executes it. */
struct Prepared {
    pto_program *program = nullptr; /* nullptr: the simulator executes the instruction */
    std::vector<Operand> inputs;
    std::vector<Operand> results;
};

bool enabled = [] {
    const char *value = std::getenv("PTO_GPGPUSIM");
    return value == nullptr || std::strcmp(value, "0") != 0;
}();

/* Whether libpto executes this type of instruction. Approximations are left to the simulator. */
bool is_listed(int opcode) {
    switch (opcode) {
    case ABS_OP:
    case ADD_OP:
    case BFE_OP:
    case BFI_OP:
    case BFIND_OP:
    case BREV_OP:
    case CLZ_OP:
    case CNOT_OP:
    case CVT_OP:
    case DIV_OP:
    case FMA_OP:
    case MAD24_OP:
    case MAD_OP:
    case MAX_OP:
    case MIN_OP:
    case MUL24_OP:
    case MUL_OP:
    case NEG_OP:
    case POPC_OP:
    case PRMT_OP:
    case RCP_OP:
    case REM_OP:
    case SAD_OP:
    case SELP_OP:
    case SETP_OP:
    case SET_OP:
    case SHL_OP:
    case SHR_OP:
    case SLCT_OP:
    case SQRT_OP:
    case SUB_OP: return true;
    default: return false;
    }
}

bool contains(const std::string &text, const char *part) {
    return text.find(part) != std::string::npos;
}

/* Returns the instruction's text without its guard. It is empty if the line has something else: the simulator keeps the
 * line of an instruction, without tabs. */
std::string statement_of(const ptx_instruction *instruction) {
    std::string text = instruction->get_source();
    std::size_t begin = text.find_first_not_of(' ');
    if (begin != std::string::npos && text[begin] == '@')
        begin = text.find_first_not_of(' ', text.find(' ', begin));
    const std::size_t end = text.find(';');
    if (begin == std::string::npos || end == std::string::npos ||
        text.find(';', end + 1) != std::string::npos)
        return "";
    text = text.substr(begin, end + 1 - begin);
    const std::string opcode = instruction->get_opcode_cstr();
    if (text.compare(0, opcode.size(), opcode) != 0) return "";
    const std::size_t operands = text.find_first_of("%{");
    if (operands == std::string::npos) return "";
    return text.insert(operands, " "); /* in place of a tab */
}

/* Adds the registers of an operand to names. Returns false if it has something other than registers and numbers. */
bool add_registers(const operand_info &operand, std::set<const symbol *> &names) {
    if (operand.is_literal()) return true;
    if (operand.is_vector() || operand.get_double_operand_type() != 0) {
        const unsigned count = operand.is_vector() ? operand.get_vect_nelem() : 2;
        for (unsigned i = 0; i < count; i++) names.insert(operand.vec_symbol(i));
        return true;
    }
    if (operand.is_builtin() || operand.is_memory_operand() || !operand.is_reg()) return false;
    names.insert(operand.get_symbol());
    return true;
}

/* Returns the declaration of a register, as bits of its width: those match every type. It is empty for a name of
 * PTXPlus. In the simulator, the type f16x2 is f16. */
std::string declaration_of(const symbol *name, bool packed) {
    const int type = name->type()->get_key().scalar_type();
    if (name->name().compare(0, 1, "$") == 0) return "";
    if (type == PRED_TYPE) return ".reg .pred " + name->name() + ";\n";
    std::size_t bits;
    int is_signed;
    type_info_key::type_decode(type, bits, is_signed);
    if (packed && type == F16_TYPE) bits = 32;
    return ".reg .b" + std::to_string(bits) + " " + name->name() + ";\n";
}

/* Returns the program of a statement with these registers, or nullptr. */
pto_program *program_of(const std::string &statement, const std::set<const symbol *> &names) {
    std::string text;
    for (const symbol *name : names) {
        const std::string declaration = declaration_of(name, contains(statement, "16x2"));
        if (declaration.empty()) return nullptr;
        text += declaration;
    }
    pto_program_options options = {};
    options.language = PTO_PROGRAM_PTX;
    return pto_program_new((text + statement + "\n").c_str(), options, nullptr);
}

void prepare(const ptx_instruction *instruction, Prepared &prepared) {
    const std::string statement = statement_of(instruction);
    if (statement.empty() || contains(statement, ".cc") || contains(statement, ".approx") ||
        contains(statement, ".full"))
        return;
    std::set<const symbol *> names;
    for (unsigned i = 0; i < instruction->get_num_operands(); i++)
        if (!add_registers(instruction->operand_lookup(i), names)) return;
    prepared.program = program_of(statement, names);
    if (prepared.program == nullptr) return;
    for (const symbol *name : names) {
        pto_program_register info;
        if (pto_program_register_named(prepared.program, name->name().c_str(), &info) != PTO_OK)
            continue; /* _ */
        const Operand operand = {name, info.predicate, 0};
        if (info.input) prepared.inputs.push_back(operand);
        if (info.result) prepared.results.push_back(operand);
    }
    for (Operand &input : prepared.inputs) { /* the vector has its final size now */
        pto_program_register info;
        const char *name = input.name->name().c_str();
        if (pto_program_register_named(prepared.program, name, &info) == PTO_OK &&
            pto_program_bind(prepared.program, name, info.type, &input.value, 1) == PTO_OK)
            continue;
        pto_program_free(prepared.program);
        prepared.program = nullptr;
        return;
    }
}

/* In the simulator, bit 0 of a predicate is a zero flag: it is set if the predicate is false. */
std::uint64_t from_simulator(const Operand &operand, const ptx_reg_t &value) {
    return operand.predicate ? (value.pred & 1) == 0 : value.u64;
}

ptx_reg_t to_simulator(const Operand &operand, const void *data, std::size_t bytes) {
    ptx_reg_t value;
    std::memcpy(&value.u64, data, bytes);
    if (operand.predicate) value.u64 = value.u64 == 0;
    return value;
}

} // namespace

bool pto_execute_enabled() {
    return enabled;
}

void pto_execute_enable(bool on) {
    enabled = on;
}

bool pto_execute(const ptx_instruction *instruction, ptx_thread_info *thread) {
    static std::unordered_map<const ptx_instruction *, Prepared> all;
    if (!enabled || !is_listed(instruction->get_opcode())) return false;
    const auto found = all.emplace(instruction, Prepared());
    Prepared &prepared = found.first->second;
    if (found.second) prepare(instruction, prepared);
    if (prepared.program == nullptr) return false;
    for (Operand &input : prepared.inputs) input.value = from_simulator(input, thread->get_reg(input.name));
    if (pto_program_run(prepared.program, 1) != PTO_OK) return false;
    for (const Operand &result : prepared.results) {
        pto_dtype type;
        const void *data;
        std::size_t count;
        if (pto_program_value(prepared.program, result.name->name().c_str(), &type, &data, &count) != PTO_OK)
            abort();
        thread->set_reg(result.name, to_simulator(result, data, pto_dtype_bits(type) / 8));
    }
    return true;
}
